import type { CsvDelimiter, CsvOptions } from "../../../core/csv.ts";
import { findCurrency } from "../../../core/currency.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { TextEncoding } from "../../../platform/decode-text.ts";
import { findDateFormat } from "./date-format.ts";
import type { DecimalSign } from "./statement-amount.ts";

export const STATEMENT_COLUMNS = [
  "booked_at",
  "time",
  "account",
  "amount",
  "credit",
  "debit",
  "direction",
  "currency",
  "reference",
  "payer",
  "balance",
] as const;

export type StatementColumn = (typeof STATEMENT_COLUMNS)[number];

/** How one bank's CSV file is to be read. It is kept as JSON with the account. */
export type StatementMapping = {
  /** For each of our columns the name that it has in the bank's header; without any, the names are our own. */
  readonly columns: Readonly<Partial<Record<StatementColumn, string>>>;
  /** For files without a column that says it. */
  readonly currency?: string;
  readonly dateFormat?: string;
  readonly decimal?: DecimalSign;
  readonly delimiter?: CsvDelimiter;
  readonly encoding?: TextEncoding;
  /** Lines before the header. */
  readonly skipLines?: number;
  readonly creditWords?: readonly string[];
  readonly debitWords?: readonly string[];
};

export const MAPPING_SETTINGS = [
  "columns",
  "currency",
  "dateFormat",
  "decimal",
  "delimiter",
  "encoding",
  "skipLines",
  "creditWords",
  "debitWords",
];
const NAME_CHARS_MAX = 100;
const SKIP_LINES_MAX = 1_000;
const WORDS_MAX = 50;

/** Checks an operator's mapping, and lists everything that is wrong with it in words. */
export function checkStatementMapping(value: unknown): Result<StatementMapping, readonly string[]> {
  if (!isRecord(value)) return fail(["the mapping must be a JSON object"]);
  const unknown = Object.keys(value)
    .filter((key) => !MAPPING_SETTINGS.includes(key))
    .map((key) => `${quote(key)} is not a setting; there are ${MAPPING_SETTINGS.join(", ")}`);
  const faults = [...unknown, ...columnFaults(value), ...settingFaults(value)];
  return faults.length > 0 ? fail(faults) : ok({ ...value, columns: value.columns ?? {} } as StatementMapping);
}

/** The columns that are looked for in a file; our own names where the mapping has none. */
export function columnsOf(mapping: StatementMapping | undefined): StatementMapping["columns"] {
  if (mapping !== undefined && Object.keys(mapping.columns).length > 0) return mapping.columns;
  return {
    booked_at: "booked_at",
    account: "account",
    amount: "amount",
    ...(mapping?.currency === undefined && { currency: "currency" }),
    reference: "reference",
    payer: "payer",
  };
}

export function csvOptionsOf(mapping: StatementMapping | undefined): CsvOptions {
  return {
    ...(mapping?.delimiter !== undefined && { delimiter: mapping.delimiter }),
    ...(mapping?.skipLines !== undefined && { skipLines: mapping.skipLines }),
  };
}

function columnFaults(mapping: Record<string, unknown>): string[] {
  const { columns = {} } = mapping;
  if (!isRecord(columns)) return ["columns must be an object from our columns to the names in the file"];
  const entries = Object.entries(columns);
  const faults = entries.flatMap(([column, name]) => {
    if (!STATEMENT_COLUMNS.some((known) => known === column)) {
      return [`columns: ${quote(column)} is not a column; there are ${STATEMENT_COLUMNS.join(", ")}`];
    }
    const isName = typeof name === "string" && name.trim() !== "" && name.length <= NAME_CHARS_MAX;
    return isName ? [] : [`columns: ${column} must be a text of 1 to ${NAME_CHARS_MAX} characters`];
  });
  if (entries.length === 0) return faults;
  const has = (column: StatementColumn) => columns[column] !== undefined;
  const names = entries.map(([, name]) => String(name).trim().toLowerCase());
  if (new Set(names).size < names.length) faults.push("columns: one column of the file is named twice");
  if (!has("booked_at")) faults.push("columns: booked_at is missing");
  if (!has("reference")) faults.push("columns: reference is missing");
  faults.push(...amountColumnFaults(has));
  if (has("currency") === (mapping.currency !== undefined)) {
    faults.push("name either the column of the currency in columns, or the currency itself");
  }
  return faults;
}

function amountColumnFaults(has: (column: StatementColumn) => boolean): string[] {
  const isSplit = has("credit") || has("debit");
  if (isSplit && (has("amount") || has("direction"))) {
    return ["columns: use either credit and debit, or amount with or without direction"];
  }
  if (isSplit && !(has("credit") && has("debit"))) return ["columns: credit and debit need each other"];
  return isSplit || has("amount") ? [] : ["columns: amount is missing, and so are credit and debit"];
}

function settingFaults(mapping: Record<string, unknown>): string[] {
  const { currency, dateFormat, decimal, delimiter, encoding, skipLines } = mapping;
  const faults: string[] = [];
  if (currency !== undefined && (typeof currency !== "string" || findCurrency(currency) === undefined)) {
    faults.push("currency must be an ISO 4217 code such as EUR");
  }
  const format = typeof dateFormat === "string" ? findDateFormat(dateFormat) : undefined;
  if (dateFormat !== undefined && format === undefined) {
    faults.push("dateFormat must be made of dd, mm, yyyy or yy, hh, mm and ss, such as dd.mm.yyyy hh:mm");
  }
  if (format?.hasTime && isRecord(mapping.columns) && mapping.columns.time !== undefined) {
    faults.push("dateFormat must not have a time where the time has its own column");
  }
  if (decimal !== undefined && decimal !== "." && decimal !== ",") faults.push('decimal must be "." or ","');
  if (delimiter !== undefined && ![",", ";", "\t"].includes(delimiter as string)) {
    faults.push('delimiter must be ",", ";" or a tab');
  }
  if (encoding !== undefined && encoding !== "utf-8" && encoding !== "windows-1251") {
    faults.push("encoding must be utf-8 or windows-1251");
  }
  const isCount = Number.isInteger(skipLines) && (skipLines as number) >= 0 && (skipLines as number) <= SKIP_LINES_MAX;
  if (skipLines !== undefined && !isCount) faults.push(`skipLines must be a whole number from 0 to ${SKIP_LINES_MAX}`);
  return [...faults, ...wordFaults(mapping)];
}

function wordFaults(mapping: Record<string, unknown>): string[] {
  const faults: string[] = [];
  for (const setting of ["creditWords", "debitWords"] as const) {
    const words = mapping[setting];
    if (words === undefined) continue;
    if (!isRecord(mapping.columns) || mapping.columns.direction === undefined) {
      faults.push(`${setting} is only for files with a column of the direction`);
    }
    const isList = Array.isArray(words) && words.length > 0 && words.length <= WORDS_MAX;
    if (!isList || !words.every((word) => typeof word === "string" && word.trim() !== "")) {
      faults.push(`${setting} must be a list of 1 to ${WORDS_MAX} words`);
    }
  }
  const { creditWords, debitWords } = mapping;
  if (Array.isArray(creditWords) && Array.isArray(debitWords)) {
    const credit = creditWords.map((word) => String(word).trim().toLowerCase());
    const isShared = debitWords.some((word) => credit.includes(String(word).trim().toLowerCase()));
    if (isShared) faults.push("a word stands in both creditWords and debitWords");
  }
  return faults;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, NAME_CHARS_MAX));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
