import { fail, ok, type Result } from "../core/result.ts";
import type { Database } from "./db.ts";
import { lacksRight, markAsDatabases } from "./faults.ts";
import {
  type Applying,
  applyMigration,
  LOCK_PATIENCE,
  type LockPatience,
  type MigrationLog,
} from "./schema/apply-migration.ts";
import { withMigrationLock } from "./schema/migration-lock.ts";
import { type Migration, readMigrations } from "./schema/migrations.ts";
import {
  explainMissing,
  explainUnusable,
  hasMigrationsTable,
  isUsable,
  type SchemaState,
  schemaState,
} from "./schema/schema-state.ts";

/** The door to the schema: other rooms import from here. */
export type { MigrationLog } from "./schema/apply-migration.ts";
export { type Migration, readMigration, readMigrations } from "./schema/migrations.ts";
export { explainMissing, explainUnusable, isUsable, NEWER_SCHEMA, schemaState } from "./schema/schema-state.ts";

export type MigrateOptions = {
  readonly migrations?: readonly Migration[];
  /** Where the embedded server keeps its data; absent for a database at DATABASE_URL. */
  readonly dataDir?: string | undefined;
  readonly log?: MigrationLog;
  readonly patience?: LockPatience;
};

const SILENT: MigrationLog = { warn: () => undefined };
const SERVER_VERSION_MIN = 140_000;

/** Brings the schema up to date. Several processes may try at once; one works, the others wait and find it done. */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<Result<number, string>> {
  const { migrations = readMigrations(), dataDir, log = SILENT, patience = LOCK_PATIENCE } = options;
  const version = await serverVersion(db);
  if (version < SERVER_VERSION_MIN) {
    return fail(`PostgreSQL ${Math.floor(version / 10_000)} is too old: Tillgate needs version 14 or newer`);
  }
  const state = await schemaState(db, migrations);
  if (state.kind !== "behind") return settled(state, dataDir);
  try {
    return await withMigrationLock(
      db,
      () => log.warn({}, "another process migrates the schema: waiting for it"),
      (connection) => applyMissing({ ...connection, db, log, patience }, migrations, dataDir),
    );
  } catch (error) {
    markAsDatabases(error);
    if (!lacksRight(error)) throw error;
    return explainLackOfRights(db, migrations, error);
  }
}

function settled(
  state: Exclude<SchemaState, { readonly kind: "behind" }>,
  dataDir: string | undefined,
): Result<number, string> {
  return isUsable(state) ? ok(0) : fail(explainUnusable(state, dataDir));
}

async function applyMissing(
  applying: Applying,
  migrations: readonly Migration[],
  dataDir: string | undefined,
): Promise<Result<number, string>> {
  // Another process may have done it, or a newer program more than that, before the lock came.
  const state = await schemaState(applying.db, migrations);
  if (state.kind !== "behind") return settled(state, dataDir);
  // Asked first, because PostgreSQL checks the right to create a table even where that table is there already.
  if (!(await hasMigrationsTable(applying.db))) await createMigrationsTable(applying);
  for (const migration of migrations.slice(-state.missing)) {
    const applied = await applyMigration(applying, migration);
    if (!applied.ok) return applied;
  }
  return ok(state.missing);
}

async function createMigrationsTable({ client }: Applying): Promise<void> {
  // The lowest migration that a program may have as its last one and still work on this schema; null: only this one.
  await client.query(
    `create table schema_migrations (
       version integer primary key, name text not null, checksum text not null,
       compatible integer check (compatible < version), applied_at timestamptz not null default now())`,
  );
}

/** A service's user need not own the tables: it starts where the schema is current, and else says who must act. */
async function explainLackOfRights(
  db: Database,
  migrations: readonly Migration[],
  error: Error,
): Promise<Result<never, string>> {
  const state = await schemaState(db, migrations);
  if (state.kind !== "behind") throw error;
  return fail(
    `${explainMissing(state)}, and this database user may not apply them (${error.message}). ` +
      "Run tillgate migrate with DATABASE_URL set for the user that owns the tables.",
  );
}

async function serverVersion(db: Pick<Database, "run">): Promise<number> {
  const [row] = await db.run<{ version: number }>({
    text: "select current_setting('server_version_num')::int as version",
  });
  return row?.version ?? 0;
}
