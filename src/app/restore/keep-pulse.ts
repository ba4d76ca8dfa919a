import type { Id } from "../../core/ids.ts";
import { RESTORE_REASON_WORDS } from "../../core/restore/judge-database.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import { findOpenRestore } from "../../store/restore/restores.ts";
import { takePulse } from "./take-pulse.ts";

const BEAT_EVERY_MS = 2_000;

/** Writes the pulse of the database while this process runs, and notices when the database was restored under it. */
export async function keepPulse(deps: {
  readonly db: Database;
  readonly log: Log;
  readonly processId: Id;
}): Promise<{ readonly close: () => Promise<void> }> {
  const { db, log } = deps;
  const actor = `process ${deps.processId}`;
  let remembered: Date | undefined;
  let beating: Promise<void> | undefined;

  async function beat(): Promise<void> {
    const { verdict, beatAt } = await takePulse(db, remembered, actor);
    remembered = beatAt;
    if (verdict.kind === "failover")
      log.info("the database is on another timeline, and has what was written: a failover");
    if (verdict.kind === "restored")
      log.warn(
        { why: RESTORE_REASON_WORDS[verdict.why], known_until: verdict.knownUntil.toISOString() },
        "the database was restored",
      );
  }

  await beat();
  await reportOpen(db, log);
  const timer = setInterval(() => {
    // The heartbeat of the process reports that the database does not answer.
    beating ??= beat()
      .catch((error) => log.debug({ reason: reasonOf(error) }, "the pulse could not be written"))
      .finally(() => {
        beating = undefined;
      });
  }, BEAT_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await beating;
    },
  };
}

async function reportOpen(db: Database, log: Log): Promise<void> {
  const open = await findOpenRestore(db);
  if (open === undefined) return;
  log.warn(
    { why: RESTORE_REASON_WORDS[open.why], since: open.noticedAt.toISOString() },
    "payouts, exports, card charges and callbacks are paused until an operator runs restore check and restore resume",
  );
}
