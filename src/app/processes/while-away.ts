import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "../../store/faults.ts";

/** Not all at the same moment: many wait for one database. */
const AGAIN_AFTER_MS = { min: 200, max: 600 } as const;

/**
 * Tries again and again while the database is away, as long as it may. What is tried must change nothing the second time, since
 * the answer to the first may be what was lost.
 */
export async function whileAway<T>(attempt: () => Promise<T>, mayGoOn: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUnavailable(error) || !mayGoOn()) throw error;
    }
    await sleep(AGAIN_AFTER_MS.min + Math.random() * (AGAIN_AFTER_MS.max - AGAIN_AFTER_MS.min));
  }
}
