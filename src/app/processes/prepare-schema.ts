import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import {
  explainMissing,
  explainUnusable,
  isUsable,
  type Migration,
  type MigrationLog,
  migrate,
  readMigrations,
  schemaState,
} from "../../store/migrate.ts";

export type PrepareSchema = {
  /** False: another program migrates, and this one waits until it has. */
  readonly migrates: boolean;
  readonly dataDir: string | undefined;
  readonly log: MigrationLog;
  /** Ends the wait. */
  readonly stop?: AbortSignal | undefined;
  readonly migrations?: readonly Migration[];
  readonly waitMaxMs?: number;
};

const ASK_EVERY_MS = 500;
const SAY_EVERY_MS = 10_000;
/** A supervisor starts the process again; one that waited longer would look like one that hangs. */
const WAIT_MAX_MS = 600_000;

/** Before a process starts to work: a schema that it can work on. The error is a sentence for the operator. */
export async function prepareSchema(db: Database, options: PrepareSchema): Promise<Result<void, string>> {
  const { migrates, dataDir, log, migrations = readMigrations() } = options;
  if (!migrates) return waitForSchema(db, options);
  const migrated = await migrate(db, { migrations, dataDir, log });
  return migrated.ok ? ok(undefined) : migrated;
}

async function waitForSchema(db: Database, options: PrepareSchema): Promise<Result<void, string>> {
  const { dataDir, log, stop, migrations = readMigrations(), waitMaxMs = WAIT_MAX_MS } = options;
  for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
    const state = await schemaState(db, migrations);
    if (isUsable(state)) return ok(undefined);
    if (state.kind !== "behind") return fail(explainUnusable(state, dataDir));
    if (waitedMs >= waitMaxMs) {
      return fail(`${explainMissing(state)}, and TILLGATE_MIGRATE is off. Run tillgate migrate.`);
    }
    if (waitedMs % SAY_EVERY_MS === 0) log.warn({ missing: state.missing }, "waiting for tillgate migrate");
    await sleep(ASK_EVERY_MS, undefined, stop && { signal: stop }).catch(() => undefined);
    if (stop?.aborted === true) return fail("Stopped while waiting for tillgate migrate.");
  }
}
