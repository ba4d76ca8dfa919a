import type { Database } from "../db.ts";
import { type Migration, readMigrations } from "./migrations.ts";

export type SchemaState =
  | { readonly kind: "current" }
  | { readonly kind: "behind"; readonly missing: number }
  /** A newer program has been here, and left everything as this one needs it. */
  | { readonly kind: "compatible"; readonly version: number }
  /** A newer program has been here: this one must not touch what it does not understand. */
  | { readonly kind: "ahead"; readonly version: number }
  /** A migration that was applied is not the one that this program has under its number. */
  | { readonly kind: "other"; readonly migration: string };

export type UnusableState = Extract<SchemaState, { kind: "ahead" | "other" }>;

/** For /readyz and for programs that do not migrate: is the schema one that this program can work on? */
export async function schemaState(db: Pick<Database, "run">, migrations = readMigrations()): Promise<SchemaState> {
  if (!(await hasMigrationsTable(db))) return { kind: "behind", missing: migrations.length };
  return compare(await listApplied(db), migrations);
}

type UsableState = Extract<SchemaState, { kind: "current" | "compatible" }>;

export function isUsable(state: SchemaState): state is UsableState {
  return state.kind === "current" || state.kind === "compatible";
}

/** What a process logs when a newer program has migrated the database under it. */
export const NEWER_SCHEMA = "the schema is newer than this program, which can work on it";

export async function hasMigrationsTable(db: Pick<Database, "run">): Promise<boolean> {
  const [row] = await db.run<{ found: boolean }>({
    text: "select to_regclass('schema_migrations') is not null as found",
  });
  return row?.found === true;
}

type AppliedMigration = {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly compatible: number | null;
};

/** By way of jsonb, because a database from before 0.1.0 may lack the column; then it is told apart by its checksums. */
function listApplied(db: Pick<Database, "run">): Promise<AppliedMigration[]> {
  return db.run<AppliedMigration>({
    text: `select version, name, checksum, (to_jsonb(m) ->> 'compatible')::integer as compatible
             from schema_migrations m order by version`,
  });
}

/** Checksums first: a database that has more migrations is only newer if it has this program's own among them. */
function compare(applied: readonly AppliedMigration[], migrations: readonly Migration[]): SchemaState {
  const other = migrations.findIndex(({ checksum }, index) => (applied[index]?.checksum ?? checksum) !== checksum);
  const row = applied[other];
  if (row !== undefined) return { kind: "other", migration: `${row.version} (${row.name})` };
  const newer = applied.slice(migrations.length);
  if (newer.length > 0) {
    // Each of them must be: one that says it is compatible with its predecessor does not speak for that one.
    const reachesBack = newer.every(({ version, compatible }) => (compatible ?? version) <= migrations.length);
    return { kind: reachesBack ? "compatible" : "ahead", version: applied.length };
  }
  const missing = migrations.length - applied.length;
  return missing === 0 ? { kind: "current" } : { kind: "behind", missing };
}

/** One sentence for a person: what to do with a database that this program cannot work on. */
export function explainUnusable(state: UnusableState, dataDir: string | undefined): string {
  if (state.kind === "ahead")
    return `The database has schema ${state.version}, which a newer program made: run that one.`;
  return dataDir === undefined
    ? `The database at DATABASE_URL was made by another version of Tillgate, whose migration ${state.migration} differs: run that version, or give this one an empty database.`
    : `The database in ${dataDir} was made by another version of Tillgate: remove that directory and start again.`;
}

export function explainMissing({ missing }: { readonly missing: number }): string {
  return missing === 1 ? "1 migration is missing" : `${missing} migrations are missing`;
}
