import type { Id } from "../../core/ids.ts";
import type { Log } from "../../platform/log.ts";
import { warnOfError } from "../../platform/log-lines/quiet-log.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { heartbeat, type ProcessRole, removeProcess } from "../../store/processes/processes.ts";

/** How many processes serve merchants right now, this one included: the parts that a rate limit is shared among. */
export type ProcessCount = {
  /** Of this process. */
  readonly id: Id;
  readonly live: () => number;
  readonly close: () => Promise<void>;
};

const HEARTBEAT_EVERY_MS = 2_000;

export async function countProcesses(deps: { db: Database; log: Log; role: ProcessRole }): Promise<ProcessCount> {
  const id = newId();
  let live = Math.max(1, await heartbeat(deps.db, id, deps.role));
  let isBeating = false;

  /** One at a time: while writes hang, each would take a connection of its own. */
  async function beat(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    try {
      live = Math.max(1, await heartbeat(deps.db, id, deps.role));
    } catch (error) {
      warnOfError(deps.log, error, "the heartbeat could not be written");
    } finally {
      isBeating = false;
    }
  }

  const timer = setInterval(beat, HEARTBEAT_EVERY_MS);
  timer.unref();
  return {
    id,
    live: () => live,
    close: async () => {
      clearInterval(timer);
      await removeProcess(deps.db, id).catch(() => undefined);
    },
  };
}
