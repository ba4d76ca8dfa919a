import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "../db.ts";

/** The connection that has the lock. What is done on it ends when the lock does, even if the process is killed. */
export type LockedConnection = { readonly client: pg.Client; readonly pid: number };

/** An arbitrary number that all Tillgate processes agree on. */
const MIGRATION_LOCK = 5_171_001;
const ASK_EVERY_MS = 200;
const SAY_EVERY_MS = 10_000;

/**
 * One process migrates at a time. The others ask again and again instead of waiting inside a statement: a statement that waits keeps
 * a snapshot, and `create index concurrently` waits for every older snapshot, so the two would wait for each other.
 */
export async function withMigrationLock<T>(
  db: Database,
  onWait: () => void,
  work: (connection: LockedConnection) => Promise<T>,
): Promise<T> {
  const client = await db.connect();
  try {
    for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
      const pid = await tryLock(client);
      if (pid !== undefined) return await work({ client, pid });
      if (waitedMs % SAY_EVERY_MS === 0) onWait();
      await sleep(ASK_EVERY_MS);
    }
  } finally {
    await client.end();
  }
}

async function tryLock(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ locked: boolean; pid: number }>(
    "select pg_try_advisory_lock($1) as locked, pg_backend_pid() as pid",
    [MIGRATION_LOCK],
  );
  return rows[0]?.locked === true ? rows[0].pid : undefined;
}
