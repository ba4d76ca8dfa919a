import { fail, ok, type Result } from "./result.ts";

/** A record of a CSV file with the line that it begins on, so that a person can be told where to look. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] };

export type CsvFault = { readonly line: number; readonly message: string };

export type CsvItem =
  | { readonly kind: "record"; readonly value: CsvRecord }
  | { readonly kind: "fault"; readonly value: CsvFault };

export type CsvDelimiter = "," | ";" | "\t";

export type CsvOptions = {
  /** Without it, the delimiter is the one that the first line has most of. */
  readonly delimiter?: CsvDelimiter;
  /** Lines before the first record that are not CSV at all, such as a bank's letterhead. */
  readonly skipLines?: number;
};

/** Takes a file piece by piece. What comes out does not depend on where the pieces were cut. */
export type CsvReader = {
  readonly push: (chunk: string) => readonly CsvItem[];
  readonly end: () => readonly CsvItem[];
};

/** A quote that is never closed would otherwise gather the whole rest of the file in memory. */
export const CSV_RECORD_CHARS_MAX = 16_384;
/** Each line may be where a bad record began, so this bounds how often a line is read again. */
const RECORD_LINES_MAX = 50;

const BYTE_ORDER_MARK = "\uFEFF";
const DELIMITERS: readonly CsvDelimiter[] = [",", ";", "\t"];
const QUOTE_DOES_NOT_END = "a quoted field does not end properly";
const TEXT_AFTER_QUOTE = "text after a quoted field";
const TOO_LONG = `a record is longer than ${CSV_RECORD_CHARS_MAX} characters or ${RECORD_LINES_MAX} lines`;

/** Reads a whole text; the first fault refuses all of it. */
export function parseCsv(input: string): Result<readonly CsvRecord[], CsvFault> {
  const reader = openCsv();
  const records: CsvRecord[] = [];
  for (const item of [...reader.push(input), ...reader.end()]) {
    if (item.kind === "fault") return fail(item.value);
    records.push(item.value);
  }
  return ok(records);
}

/**
 * Reads CSV with quotes as in RFC 4180 and CRLF or LF. After a fault it goes on with the line below the one where the
 * bad record began, so that a stray quote costs one line and not the rest of the file.
 */
export function openCsv(options: CsvOptions = {}): CsvReader {
  const state: State = {
    delimiter: options.delimiter,
    linesToSkip: options.skipLines ?? 0,
    isAtStart: true,
    isInsideBadLine: false,
    line: 1,
    text: "",
  };
  return {
    push: (chunk) => {
      state.text += chunk;
      return takeItems(state, "more follows");
    },
    end: () => takeItems(state, "complete"),
  };
}

type Supply = "more follows" | "complete";

type State = {
  delimiter: CsvDelimiter | undefined;
  linesToSkip: number;
  isAtStart: boolean;
  isInsideBadLine: boolean;
  line: number;
  text: string;
};

function takeItems(state: State, supply: Supply): CsvItem[] {
  const items: CsvItem[] = [];
  let at = 0;
  if (state.isAtStart && state.text.length > 0) {
    state.isAtStart = false;
    if (state.text.startsWith(BYTE_ORDER_MARK)) at = 1;
  }
  while (at < state.text.length) {
    if (state.isInsideBadLine || state.linesToSkip > 0) {
      const next = skipLine(state, at);
      if (next === undefined) {
        at = state.text.length;
        break;
      }
      at = next;
      continue;
    }
    const window = state.text.slice(at, at + CSV_RECORD_CHARS_MAX);
    const isWhole = supply === "complete" && at + window.length === state.text.length;
    state.delimiter ??= chooseDelimiter(window, isWhole);
    const found = state.delimiter === undefined ? undefined : scanRecord(window, state.delimiter, isWhole);
    if (found === undefined && window.length < CSV_RECORD_CHARS_MAX) break;
    if (found === undefined || found.kind === "fault") {
      items.push({ kind: "fault", value: { line: state.line, message: found?.message ?? TOO_LONG } });
      state.isInsideBadLine = true;
      continue;
    }
    if (!isBlank(found.fields)) items.push({ kind: "record", value: { line: state.line, fields: found.fields } });
    state.line += found.lines;
    at += found.length;
  }
  state.text = state.text.slice(at);
  return items;
}

/** Where the next line begins; nothing when the line goes on in a piece that has not come yet. */
function skipLine(state: State, at: number): number | undefined {
  const lineBreak = state.text.indexOf("\n", at);
  if (lineBreak === -1) return undefined;
  state.line += 1;
  if (state.isInsideBadLine) state.isInsideBadLine = false;
  else state.linesToSkip -= 1;
  return lineBreak + 1;
}

function chooseDelimiter(window: string, isWhole: boolean): CsvDelimiter | undefined {
  const firstLine = /^(?:[ \t\r]*\n)*([^\n]*[^\n \t\r][^\n]*)\n/.exec(isWhole ? `${window}\n` : window)?.[1];
  if (firstLine === undefined) return isWhole || window.length === CSV_RECORD_CHARS_MAX ? "," : undefined;
  const unquoted = firstLine.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => unquoted.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

type Scanned =
  | { readonly kind: "record"; readonly fields: readonly string[]; readonly length: number; readonly lines: number }
  | { readonly kind: "fault"; readonly message: string };

/** The record that the window begins with; nothing when its end is not to be seen yet. */
function scanRecord(window: string, delimiter: CsvDelimiter, isWhole: boolean): Scanned | undefined {
  const lineBreak = window.indexOf("\n");
  if (lineBreak === -1 && !isWhole) return undefined;
  const lineEnd = lineBreak === -1 ? window.length : lineBreak;
  const line = withoutReturn(window.slice(0, lineEnd));
  if (!line.includes('"')) {
    return { kind: "record", fields: line.split(delimiter), length: lineEnd + 1, lines: 1 };
  }
  return scanQuotedRecord(window, delimiter, isWhole);
}

function scanQuotedRecord(window: string, delimiter: CsvDelimiter, isWhole: boolean): Scanned | undefined {
  const fields: string[] = [];
  let at = 0;
  let lines = 1;
  for (;;) {
    const field = window[at] === '"' ? quotedField(window, at) : plainField(window, at, delimiter);
    if (field === undefined) return isWhole ? { kind: "fault", message: QUOTE_DOES_NOT_END } : undefined;
    fields.push(field.value);
    lines += field.lineBreaks;
    if (lines > RECORD_LINES_MAX) return { kind: "fault", message: TOO_LONG };
    at = field.end;
    if (window[at] === delimiter) {
      at += 1;
      continue;
    }
    if (window[at] === "\r") at += 1;
    if (at >= window.length) return isWhole ? { kind: "record", fields, length: at, lines } : undefined;
    return window[at] === "\n"
      ? { kind: "record", fields, length: at + 1, lines }
      : { kind: "fault", message: TEXT_AFTER_QUOTE };
  }
}

type Field = { readonly value: string; readonly end: number; readonly lineBreaks: number };

function plainField(text: string, start: number, delimiter: CsvDelimiter): Field {
  const lineBreak = text.indexOf("\n", start);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const separator = text.slice(start, lineEnd).indexOf(delimiter);
  const end = separator === -1 ? lineEnd : start + separator;
  const value = text.slice(start, end);
  return { value: separator === -1 ? withoutReturn(value) : value, end, lineBreaks: 0 };
}

function quotedField(text: string, start: number): Field | undefined {
  let value = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1, lineBreaks: value.split("\n").length - 1 };
    value += '"';
    from = quote + 2;
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function isBlank(fields: readonly string[]): boolean {
  return fields.length === 1 && fields[0] === "";
}
