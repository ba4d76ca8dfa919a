import { type CsvRecord, openCsv } from "../csv.ts";
import { fail, ok, type Result } from "../result.ts";

/** The columns of a file of payouts, named as the members of the API's request are. */
export const BATCH_COLUMNS = [
  "payment_id",
  "method",
  "currency",
  "amount",
  "pan",
  "card_holder",
  "phone",
  "account_number",
  "bank",
  "name",
  "description",
  "customer_id",
] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

/** Columns that no file can do without; which of the others a row needs depends on its method. */
const REQUIRED: readonly BatchColumn[] = ["method", "currency", "amount"];

export const BATCH_ROWS_MAX = 10_000;
export const BATCH_FILE_BYTES_MAX = 5 * 1024 * 1024;

/** One payout as it was written: a line of a file, or a form. Cells that are empty are left out. */
export type BatchRecord = { readonly line: number; readonly cells: Readonly<Partial<Record<BatchColumn, string>>> };

/** What is wrong with a row. The sentence never repeats the value, which may be a card number. */
export type BatchFault = {
  readonly line: number;
  /** Null where it is about the whole row. */
  readonly column: BatchColumn | null;
  readonly code: string;
  readonly message: string;
};

/** What stands for bytes that are no text of UTF-8. */
const REPLACED = "\uFFFD";

type Header = readonly (BatchColumn | undefined)[];

/** Reads a CSV file of payouts with comma, semicolon or tab between cells. Every fault of its form is listed. */
export function readBatchFile(text: string): Result<readonly BatchRecord[], readonly BatchFault[]> {
  if (text.includes(REPLACED)) return fail([ofRow(1, "not_utf8", "the file must be saved as UTF-8")]);
  const reader = openCsv();
  const faults: BatchFault[] = [];
  const records: BatchRecord[] = [];
  let header: Header | undefined;
  let rowCount = 0;
  for (const item of [...reader.push(text), ...reader.end()]) {
    if (item.kind === "fault") {
      faults.push(ofRow(item.value.line, "bad_csv", item.value.message));
      continue;
    }
    if (header === undefined) {
      const read = readHeader(item.value);
      if (!read.ok) return fail(read.error);
      header = read.value;
      continue;
    }
    if (item.value.fields.every((field) => field.trim() === "")) continue;
    rowCount += 1;
    if (rowCount > BATCH_ROWS_MAX)
      return fail([ofRow(item.value.line, "too_many_rows", `a file has at most ${BATCH_ROWS_MAX} rows`)]);
    const record = readRecord(item.value, header);
    if ("code" in record) faults.push(record);
    else records.push(record);
  }
  if (faults.length > 0) return fail(faults);
  if (records.length === 0) return fail([ofRow(1, "no_rows", "the file has no rows below its header")]);
  return ok(records);
}

function readHeader({ line, fields }: CsvRecord): Result<Header, readonly BatchFault[]> {
  const names = fields.map((field) => field.trim().toLowerCase());
  // Programs for tables leave empty cells at the end.
  while (names.at(-1) === "") names.pop();
  const known = names.map((name) => BATCH_COLUMNS.find((column) => column === name));
  const faults = [
    ...known.flatMap((column, index) =>
      column === undefined
        ? [ofRow(line, "unknown_column", `column ${index + 1} of the header is not one of ${BATCH_COLUMNS.join(", ")}`)]
        : [],
    ),
    ...REQUIRED.filter((column) => !known.includes(column)).map((column) =>
      ofRow(line, "column_missing", `the header has no column ${column}`),
    ),
    ...BATCH_COLUMNS.filter((column) => known.indexOf(column) !== known.lastIndexOf(column)).map((column) =>
      ofRow(line, "column_twice", `the header has the column ${column} twice`),
    ),
  ];
  return faults.length > 0 ? fail(faults) : ok(known);
}

function readRecord({ line, fields }: CsvRecord, header: Header): BatchRecord | BatchFault {
  const beyond = fields.slice(header.length).some((field) => field.trim() !== "");
  if (beyond || fields.length < header.length)
    return ofRow(line, "cell_count", `the row has ${fields.length} cells and the header ${header.length}`);
  return { line, cells: cellsOf(header.map((column, index) => [column, fields[index] ?? ""] as const)) };
}

/** Cells as they are meant: without spaces around them, and without those that are empty. */
export function cellsOf(entries: readonly (readonly [BatchColumn | undefined, string])[]): BatchRecord["cells"] {
  return Object.fromEntries(
    entries.flatMap(([column, text]) => {
      const cell = withoutMark(text.trim());
      return column === undefined || cell === "" ? [] : [[column, cell]];
    }),
  );
}

/** An apostrophe that keeps a program for tables from taking `+7…` for a formula is not part of the value. */
function withoutMark(cell: string): string {
  return /^'[=+\-@]/.test(cell) ? cell.slice(1) : cell;
}

function ofRow(line: number, code: string, message: string): BatchFault {
  return { line, column: null, code, message };
}
