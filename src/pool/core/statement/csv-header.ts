import { fail, ok, type Result } from "../../../core/result.ts";
import { columnsOf, type StatementColumn, type StatementMapping } from "./statement-mapping.ts";

/** Where each of our columns stands in the file. */
export type CsvHeader = {
  readonly width: number;
  readonly positions: Readonly<Partial<Record<StatementColumn, number>>>;
};

/** In our own format these may be left out. */
const OPTIONAL: readonly StatementColumn[] = ["account", "payer"];

const SHOWN_COLUMNS_MAX = 30;
const SHOWN_CHARS_MAX = 40;

export function readCsvHeader(
  fields: readonly string[],
  mapping: StatementMapping | undefined,
): Result<CsvHeader, string> {
  const names = fields.map(normalise);
  const columns = columnsOf(mapping);
  const isOurFormat = Object.keys(mapping?.columns ?? {}).length === 0;
  const wanted = Object.entries(columns) as [StatementColumn, string][];
  const missing = wanted.filter(
    ([column, name]) => !names.includes(normalise(name)) && !(isOurFormat && OPTIONAL.includes(column)),
  );
  const wantedNames = wanted.map(([, name]) => normalise(name));
  const unknown = isOurFormat ? names.filter((name) => !wantedNames.includes(name)) : [];
  const doubled = wantedNames.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (missing.length > 0 || unknown.length > 0 || doubled.length > 0) {
    return fail(describe(fields, wanted, { missing: missing.map(([, name]) => name), unknown, doubled }, isOurFormat));
  }
  const positions = wanted
    .map(([column, name]) => [column, names.indexOf(normalise(name))] as const)
    .filter(([, position]) => position !== -1);
  return ok({ width: names.length, positions: Object.fromEntries(positions) });
}

type Trouble = {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
  readonly doubled: readonly string[];
};

function describe(
  fields: readonly string[],
  wanted: readonly (readonly [StatementColumn, string])[],
  trouble: Trouble,
  isOurFormat: boolean,
): string {
  const optional = isOurFormat ? ` (${OPTIONAL.join(" and ")} may be missing)` : "";
  const needed = `Needed are ${wanted.map(([, name]) => name).join(", ")}${optional}.`;
  // A file without a header begins with a payer's data, and those are not to be repeated in an error.
  if (fields.some(looksLikeData)) {
    return `The first line looks like data and not like a header with the names of the columns. ${needed}`;
  }
  const parts = [
    trouble.missing.length > 0 ? `missing: ${trouble.missing.join(", ")}` : "",
    trouble.unknown.length > 0 ? `not known: ${shown(trouble.unknown)}` : "",
    trouble.doubled.length > 0 ? `there twice: ${trouble.doubled.join(", ")}` : "",
  ].filter((part) => part !== "");
  const advice = isOurFormat
    ? " For a file with other columns, save a column mapping (pool account mapping), and name its account with --account."
    : "";
  return `The header cannot be understood (${parts.join("; ")}). Found are ${shown(fields)}. ${needed}${advice}`;
}

function looksLikeData(field: string): boolean {
  return /[0-9]{4}/.test(field.replace(/[^\p{L}\p{N}]/gu, ""));
}

function shown(names: readonly string[]): string {
  const texts = names.slice(0, SHOWN_COLUMNS_MAX).map((name) => {
    const clean = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
    if (clean === "") return "(no name)";
    return clean.length > SHOWN_CHARS_MAX ? `${clean.slice(0, SHOWN_CHARS_MAX)}…` : clean;
  });
  return texts.join(", ") + (names.length > SHOWN_COLUMNS_MAX ? ", …" : "");
}

function normalise(name: string): string {
  return name.trim().toLowerCase();
}
