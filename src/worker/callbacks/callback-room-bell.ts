/**
 * Rings when a place is free and something in the database waits for one. During a look it is unknown whether something does, so
 * what happens then is judged when the look is over.
 */
export type RoomBell = {
  readonly beginLook: () => void;
  /** `isLeft`: more was due than could be taken. */
  readonly endLook: (isLeft: boolean) => void;
  readonly free: () => void;
};

export function openRoomBell(ring: () => void): RoomBell {
  let looking = false;
  let freed = false;
  let left = false;
  return {
    beginLook: () => {
      looking = true;
      freed = false;
    },
    endLook: (isLeft) => {
      looking = false;
      left = isLeft;
      if (left && freed) ring();
    },
    free: () => {
      if (looking) freed = true;
      else if (left) ring();
    },
  };
}
