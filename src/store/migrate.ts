import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fail, ok, type Result } from "../core/result.ts";
import { installedFile } from "../platform/installed-files.ts";
import type { Database, Transaction } from "./db.ts";
import { lacksRight } from "./faults.ts";

/** Plain SQL files, applied in order. The database remembers which it was given, with a checksum of each. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
};

export type SchemaState =
  | { readonly kind: "current" }
  | { readonly kind: "behind"; readonly missing: number }
  /** A newer program has been here: an older one must not touch what it does not understand. */
  | { readonly kind: "ahead"; readonly version: number }
  /** A migration that was applied is not the one that this program has under its number. */
  | { readonly kind: "other"; readonly migration: string };

const MIGRATIONS_DIR = installedFile("migrations/");
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;
/** An arbitrary number that all Tillgate processes agree on. */
const MIGRATION_LOCK = 5_171_001;
const SERVER_VERSION_MIN = 140_000;

export function readMigrations(directory: string = MIGRATIONS_DIR): readonly Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file, index) => {
      const [, number, name] = FILE_NAME.exec(file) ?? [];
      if (number === undefined || name === undefined || Number(number) !== index + 1) {
        throw new Error(`migrations are numbered without gaps; ${file} does not fit`);
      }
      const sql = readFileSync(new URL(file, `file://${directory}`), "utf8");
      return { version: index + 1, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}

/**
 * Brings the schema up to date. Several processes may try at once; one works, the others wait and find it done. `dataDir` is
 * where the embedded server keeps its data; undefined for a database at DATABASE_URL.
 */
export async function migrate(
  db: Database,
  migrations = readMigrations(),
  dataDir?: string,
): Promise<Result<number, string>> {
  const version = await serverVersion(db);
  if (version < SERVER_VERSION_MIN) {
    return fail(`PostgreSQL ${Math.floor(version / 10_000)} is too old: Tillgate needs version 14 or newer`);
  }
  let applied = 0;
  for (;;) {
    const step = await db
      .transaction((tx) => applyNext(tx, migrations, dataDir))
      .catch((error) => explainLackOfRights(db, migrations, error));
    if (!step.ok) return step;
    if (step.value === "done") return ok(applied);
    applied += 1;
  }
}

/** A service's user need not own the tables: it starts where the schema is current, and else says who must act. */
async function explainLackOfRights(
  db: Database,
  migrations: readonly Migration[],
  error: unknown,
): Promise<Result<never, string>> {
  if (!lacksRight(error)) throw error;
  const state = await schemaState(db, migrations);
  if (state.kind !== "behind") throw error;
  const count = state.missing === 1 ? "1 migration is" : `${state.missing} migrations are`;
  return fail(
    `${count} missing, and this database user may not apply them (${error.message}). ` +
      "Run tillgate migrate with DATABASE_URL set for the user that owns the tables.",
  );
}

async function applyNext(
  tx: Transaction,
  migrations: readonly Migration[],
  dataDir: string | undefined,
): Promise<Result<"applied" | "done", string>> {
  await tx.run({ text: "set local lock_timeout = 0" });
  await tx.run({ text: "set local statement_timeout = 0" });
  await tx.run({ text: "select pg_advisory_xact_lock($1)", values: [MIGRATION_LOCK], timeoutMs: 0 });
  // Asked first, because PostgreSQL checks the right to create a table even where that table is there already.
  if (!(await hasMigrationsTable(tx))) await createMigrationsTable(tx);
  const known = await listApplied(tx);
  const state = compare(known, migrations);
  if (state.kind === "ahead" || state.kind === "other") return fail(explainUnusable(state, dataDir));
  const next = migrations[known.length];
  if (next === undefined) return ok("done");
  await tx.run({ text: next.sql, timeoutMs: 0 });
  await tx.run({
    text: "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)",
    values: [next.version, next.name, next.checksum],
  });
  return ok("applied");
}

async function hasMigrationsTable(db: Pick<Database, "run">): Promise<boolean> {
  const [row] = await db.run<{ found: boolean }>({
    text: "select to_regclass('schema_migrations') is not null as found",
  });
  return row?.found === true;
}

async function createMigrationsTable(tx: Transaction): Promise<void> {
  await tx.run({
    text: `create table schema_migrations (
             version integer primary key, name text not null, checksum text not null,
             applied_at timestamptz not null default now())`,
  });
}

type AppliedMigration = { readonly version: number; readonly name: string; readonly checksum: string };

function listApplied(db: Pick<Database, "run">): Promise<AppliedMigration[]> {
  return db.run<AppliedMigration>({ text: "select version, name, checksum from schema_migrations order by version" });
}

/** Checksums first: a database that has more migrations is only newer if it has this program's own among them. */
function compare(applied: readonly AppliedMigration[], migrations: readonly Migration[]): SchemaState {
  const other = migrations.findIndex(({ checksum }, index) => (applied[index]?.checksum ?? checksum) !== checksum);
  const row = applied[other];
  if (row !== undefined) return { kind: "other", migration: `${row.version} (${row.name})` };
  if (applied.length > migrations.length) return { kind: "ahead", version: applied.length };
  const missing = migrations.length - applied.length;
  return missing === 0 ? { kind: "current" } : { kind: "behind", missing };
}

/** One sentence for a person: what to do with a database that this program cannot work on. */
export function explainUnusable(
  state: Extract<SchemaState, { kind: "ahead" | "other" }>,
  dataDir: string | undefined,
): string {
  if (state.kind === "ahead")
    return `The database has schema ${state.version}, which a newer program made: run that one.`;
  return dataDir === undefined
    ? `The database at DATABASE_URL was made by another version of Tillgate, whose migration ${state.migration} differs: run that version, or give this one an empty database.`
    : `The database in ${dataDir} was made by another version of Tillgate: remove that directory and start again.`;
}

/** For /readyz and for programs that do not migrate: is the schema the one this program was written for? */
export async function schemaState(db: Pick<Database, "run">, migrations = readMigrations()): Promise<SchemaState> {
  if (!(await hasMigrationsTable(db))) return { kind: "behind", missing: migrations.length };
  return compare(await listApplied(db), migrations);
}

async function serverVersion(db: Pick<Database, "run">): Promise<number> {
  const [row] = await db.run<{ version: number }>({
    text: "select current_setting('server_version_num')::int as version",
  });
  return row?.version ?? 0;
}
