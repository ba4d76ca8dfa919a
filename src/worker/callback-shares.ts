import type { WaitingEndpoint } from "../store/callback-queue.ts";

/** An endpoint that something is due for, and how much of it could be taken. */
export type Wish = WaitingEndpoint & { readonly countMax: number };

/** So many callbacks are held in memory, and at most so many sent at once, by one process. */
export const HELD_MAX = 2_048;
/** However many endpoints a project has, and however many of them hang. */
export const PROJECT_HELD_MAX = 512;

/**
 * Shares the room that is left: the longest waiting endpoint is served first, and takes no more than its equal share as
 * long as others wait behind it.
 */
export function shareRoom(wishes: readonly Wish[], heldByProject: ReadonlyMap<string, number>): Wish[] {
  const held = new Map(heldByProject);
  let room = HELD_MAX - [...held.values()].reduce((sum, count) => sum + count, 0);
  const longestFirst = wishes.toSorted((a, b) => a.dueInMs - b.dueInMs);
  return longestFirst.flatMap((wish, index) => {
    const share = Math.ceil(room / (longestFirst.length - index));
    const projectHeld = held.get(wish.projectId) ?? 0;
    const countMax = Math.min(wish.countMax, share, PROJECT_HELD_MAX - projectHeld);
    if (countMax <= 0) return [];
    held.set(wish.projectId, projectHeld + countMax);
    room -= countMax;
    return [{ ...wish, countMax }];
  });
}
