import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { installedFile } from "../../platform/installed-files.ts";
import { splitStatements } from "./split-statements.ts";

/** Plain SQL files, applied in order. The database remembers which it was given, with a checksum of each. */
export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** `-- compatible: 13`: a program whose last migration is 13 can go on working beside this one. Absent: no older program can. */
  readonly compatible?: number;
  /** `-- no transaction`: the steps one by one, each of which can be repeated after a crash. Absent: all in one transaction. */
  readonly steps?: readonly Step[];
};

export type Step =
  /** An index that a crash left unfinished is dropped and made again; one that is valid is not made again. */
  | { readonly kind: "create index"; readonly text: string; readonly index: string }
  | { readonly kind: "drop index"; readonly index: string }
  /** A statement that changes a limited number of rows. It is repeated until it finds none. */
  | { readonly kind: "batches"; readonly text: string };

const MIGRATIONS_DIR = installedFile("migrations/");
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;
const HEADER = /^(?:[ \t]*(?:--[^\n]*)?\n)*/;
const COMPATIBLE = /^-- compatible: (\d+)$/m;
const NO_TRANSACTION = /^-- no transaction$/m;

export function readMigrations(directory: string = MIGRATIONS_DIR): readonly Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file, index) => {
      const [, number, name] = FILE_NAME.exec(file) ?? [];
      if (number === undefined || name === undefined || Number(number) !== index + 1) {
        throw new Error(`migrations are numbered without gaps; ${file} does not fit`);
      }
      return readMigration(index + 1, name, readFileSync(new URL(file, `file://${directory}`), "utf8"));
    });
}

/** What the comments at the top of a file say is read; every other comment is for people. */
export function readMigration(version: number, name: string, sql: string): Migration {
  const [header = ""] = HEADER.exec(sql) ?? [];
  const said = COMPATIBLE.exec(header)?.[1];
  const compatible = said === undefined ? undefined : Number(said);
  if (compatible !== undefined && !(compatible >= 1 && compatible < version)) {
    throw new Error(`migration ${version} (${name}) can be compatible with an earlier migration only`);
  }
  return {
    ...{ version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") },
    ...(compatible === undefined ? {} : { compatible }),
    ...(NO_TRANSACTION.test(header) ? { steps: splitStatements(sql).map((text) => readStep(version, text)) } : {}),
  };
}

const CREATE_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+(\w+)\s+on\s/i;
const DROP_INDEX = /^drop\s+index\s+concurrently\s+(\w+)$/i;
const BATCHES = /^(?:update|insert|with)\s[\s\S]*\slimit\s/i;

/** Only what can be repeated: a process may die between two steps, or in the middle of one. */
function readStep(version: number, text: string): Step {
  const created = CREATE_INDEX.exec(text)?.[1];
  if (created !== undefined) return { kind: "create index", text, index: created };
  const dropped = DROP_INDEX.exec(text)?.[1];
  if (dropped !== undefined) return { kind: "drop index", index: dropped };
  if (BATCHES.test(text)) return { kind: "batches", text };
  throw new Error(
    `migration ${version} has no transaction, so it may hold create index concurrently NAME on …, drop index concurrently NAME, ` +
      `and changes of rows with a limit; this is none of them: ${text.slice(0, 60)}`,
  );
}
