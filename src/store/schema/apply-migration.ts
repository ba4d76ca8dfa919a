import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../db.ts";
import { isContention } from "../faults.ts";
import { type Blocked, nameBlockers, watchBlockers } from "./blockers.ts";
import type { LockedConnection } from "./migration-lock.ts";
import type { Migration, Step } from "./migrations.ts";

export type MigrationLog = { readonly warn: (record: object, message: string) => void };

/** How long a migration waits for the tables' locks. Tests wait less. */
export type LockPatience = {
  /** While it waits for a lock, every later statement on that table waits behind it: so it gives up soon, and tries again. */
  readonly lockMs: number;
  /** For the lock that only vacuum and other migrations wait behind. PostgreSQL cancels an autovacuum after one second. */
  readonly gentleLockMs: number;
  readonly pauseMs: number;
  readonly pauseMaxMs: number;
  readonly triesMax: number;
};

/** About four minutes in all. */
export const LOCK_PATIENCE: LockPatience = {
  lockMs: 500,
  gentleLockMs: 10_000,
  pauseMs: 500,
  pauseMaxMs: 5_000,
  triesMax: 50,
};

export type Applying = LockedConnection & {
  readonly db: Database;
  readonly log: MigrationLog;
  readonly patience: LockPatience;
};

/** The error is a sentence for a person: a lock did not come. Then a migration in one transaction has changed nothing. */
export async function applyMigration(applying: Applying, migration: Migration): Promise<Result<void, string>> {
  const { steps } = migration;
  if (steps === undefined) {
    return untilLocked(applying, migration, (table) => applyWhole(applying, migration, table));
  }
  await applying.client.query("set statement_timeout = 0");
  for (const step of steps) {
    const done = await applyStep(applying, migration, step);
    if (!done.ok) return done;
  }
  await applying.client.query(noteOf(migration));
  return ok(undefined);
}

/**
 * `table` is the one whose lock did not come last time. Its weaker lock is taken first, for which reads and writes do not wait: an
 * autovacuum in the way is cancelled by PostgreSQL meanwhile, which it does after one second only.
 */
async function applyWhole({ client, patience }: Applying, migration: Migration, table: string | null): Promise<void> {
  const { lockMs, gentleLockMs } = patience;
  const gently =
    table === null
      ? ""
      : `set local lock_timeout = ${gentleLockMs}; lock table ${table} in share update exclusive mode;`;
  try {
    await client.query(`begin; set local statement_timeout = 0; ${gently} set local lock_timeout = ${lockMs}`);
    // In one message: between two, every payment would wait behind the locks for as long as this process stands still.
    await client.query(`${migration.sql}\n;\n${noteOf(migration)};\ncommit`);
  } catch (error) {
    // Where the connection is gone, the first error says why.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** That the migration was applied, as a statement without parameters, which may stand among others. */
function noteOf({ version, name, checksum, compatible }: Migration): string {
  const values = [version, pg.escapeLiteral(name), pg.escapeLiteral(checksum), compatible ?? "null"];
  return `insert into schema_migrations (version, name, checksum, compatible) values (${values.join(", ")})`;
}

async function applyStep(applying: Applying, migration: Migration, step: Step): Promise<Result<void, string>> {
  switch (step.kind) {
    case "create index":
      await createIndex(applying, migration, step);
      return ok(undefined);
    case "drop index":
      await concurrently(applying, migration, `drop index concurrently if exists ${step.index}`);
      return ok(undefined);
    case "batches":
      return runBatches(applying, migration, step.text);
  }
}

async function createIndex(
  applying: Applying,
  migration: Migration,
  { text, index }: Extract<Step, { kind: "create index" }>,
): Promise<void> {
  const { rows } = await applying.client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
    [index],
  );
  if (rows[0]?.valid === true) return;
  if (rows[0] !== undefined) await concurrently(applying, migration, `drop index concurrently ${index}`);
  await concurrently(applying, migration, text);
}

const SAY_EVERY_MS = 10_000;

/** Reads and writes do not wait behind it, so it may wait as long as it must, which is until every older transaction has ended. */
async function concurrently({ client, db, pid, log }: Applying, migration: Migration, text: string): Promise<void> {
  await client.query("set lock_timeout = 0");
  const watch = watchBlockers(db, pid);
  const saying = setInterval(() => {
    const blocked = watch.latest();
    if (blocked !== undefined)
      log.warn(recordOf(migration, blocked), "a migration waits for older transactions to end");
  }, SAY_EVERY_MS);
  try {
    await client.query(text);
  } finally {
    clearInterval(saying);
    watch.stop();
  }
}

/** Rests as long as it worked, so that other work and the standbys keep up. */
async function runBatches(applying: Applying, migration: Migration, text: string): Promise<Result<void, string>> {
  const { client, patience } = applying;
  await client.query(`set lock_timeout = ${patience.lockMs}`);
  for (;;) {
    let changed = 0;
    let workedMs = 0;
    const done = await untilLocked(applying, migration, async () => {
      const startMs = performance.now();
      changed = (await client.query(text)).rowCount ?? 0;
      workedMs = performance.now() - startMs;
    });
    if (!done.ok || changed === 0) return done;
    await sleep(workedMs);
  }
}

/** Again and again with pauses, until other transactions no longer are in the way. */
async function untilLocked(
  { db, pid, log, patience }: Applying,
  migration: Migration,
  work: (table: string | null) => Promise<void>,
): Promise<Result<void, string>> {
  let blocked: Blocked | undefined;
  for (let tries = 1; tries <= patience.triesMax; tries += 1) {
    const watch = watchBlockers(db, pid);
    try {
      await work(blocked?.table ?? null);
      return ok(undefined);
    } catch (error) {
      if (!isContention(error)) throw error;
      blocked = watch.latest() ?? blocked;
    } finally {
      watch.stop();
    }
    log.warn({ ...recordOf(migration, blocked), tries }, "a lock did not come in time: the migration is tried again");
    await sleep(Math.min(patience.pauseMs * 2 ** (tries - 1), patience.pauseMaxMs));
  }
  const what = `Migration ${migration.version} (${migration.name})`;
  const where = blocked?.table == null ? "" : ` of table ${blocked.table}`;
  return fail(
    `${what} tried ${patience.triesMax} times to get a lock${where} and did not get it: ${nameBlockers(blocked)} held it. ` +
      "End that transaction, and run tillgate migrate again.",
  );
}

function recordOf({ version, name }: Migration, blocked: Blocked | undefined): object {
  return { migration: `${version} (${name})`, ...blocked };
}
