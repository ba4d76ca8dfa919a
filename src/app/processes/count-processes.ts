import type { Id } from "../../core/ids.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
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

  async function beat(): Promise<void> {
    try {
      live = Math.max(1, await heartbeat(deps.db, id, deps.role));
    } catch (error) {
      deps.log.warn({ reason: reasonOf(error) }, "the heartbeat could not be written");
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
