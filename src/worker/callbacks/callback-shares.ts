import type { WaitingEndpoint } from "../../store/callbacks/callback-queue.ts";

/** An endpoint that something is due for, and how much of it could be taken. */
export type Wish = WaitingEndpoint & { readonly countMax: number };

/** So many callbacks are held in memory, and at most so many sent at once, by one process. */
export const HELD_MAX = 2_048;
/** However many endpoints a project has, and however many of them hang. */
export const PROJECT_HELD_MAX = 512;

/**
 * Shares the room that is left: the longest waiting endpoint is served first, and takes no more than its equal share as
 * long as others wait behind it, of its own project or of any.
 */
export function shareRoom(wishes: readonly Wish[], heldByProject: ReadonlyMap<string, number>): Wish[] {
  const held = [...heldByProject.values()].reduce((sum, count) => sum + count, 0);
  const room = { left: HELD_MAX - held, sharers: 0 };
  const rooms = new Map<string, typeof room>();
  for (const { projectId } of wishes) {
    const own = rooms.get(projectId);
    if (own === undefined)
      rooms.set(projectId, { left: PROJECT_HELD_MAX - (heldByProject.get(projectId) ?? 0), sharers: 1 });
    else own.sharers += 1;
  }
  // A project that can take little is few sharers of what there is for all, however many endpoints it has.
  for (const { left, sharers } of rooms.values()) room.sharers += Math.max(0, Math.min(left, sharers));
  const longestFirst = wishes.toSorted((a, b) => a.dueInMs - b.dueInMs);
  return longestFirst.flatMap((wish) => {
    const own = rooms.get(wish.projectId) ?? { left: 0, sharers: 1 };
    const sharedBy = [room, own];
    const countMax = Math.min(
      wish.countMax,
      ...sharedBy.map(({ left, sharers }) => Math.ceil(left / Math.max(1, sharers))),
    );
    own.sharers -= 1;
    if (!(countMax > 0)) return [];
    room.sharers -= 1;
    for (const each of sharedBy) each.left -= countMax;
    return [{ ...wish, countMax }];
  });
}
