import { setTimeout as sleep } from "node:timers/promises";
import { within } from "../../platform/within.ts";
import { isContention, isUnavailable } from "../../store/faults.ts";

/**
 * While the database was away, leases have ended of callbacks that were delivered meanwhile. So every process first writes
 * what it delivered, and then takes what is left: otherwise all of it would be sent again at once.
 */
export type NotesFirst = {
  readonly onError: (error: unknown) => void;
  /** The database answers. True: it was away before, and the notes had their time; what is due must be looked at again. */
  readonly waited: () => Promise<boolean>;
};

/** For other processes, which may reach the database a moment later than this one. */
const WAIT_MS = 3_000;
/** For the notes of this one. */
const WAIT_MAX_MS = 10_000;

export function openNotesFirst(unwritten: () => number, isStopping: () => boolean): NotesFirst {
  let wasAway = false;
  return {
    onError: (error) => {
      if (isUnavailable(error) && !isContention(error)) wasAway = true;
    },
    waited: async () => {
      if (!wasAway) return false;
      const mayWait = within(WAIT_MAX_MS);
      do await sleep(WAIT_MS);
      while (!isStopping() && unwritten() > 0 && mayWait());
      wasAway = false;
      return true;
    },
  };
}
