import { fail, ok, type Result } from "./result.ts";

/** A record of a CSV file with the line that it begins on, so that a person can be told where to look. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] };

const BYTE_ORDER_MARK = "\uFEFF";

/** Reads CSV with `,` or `;` between fields (whichever the first line has more of), quotes as in RFC 4180, CRLF or LF. */
export function parseCsv(
  input: string,
): Result<readonly CsvRecord[], { readonly line: number; readonly message: string }> {
  const text = input.startsWith(BYTE_ORDER_MARK) ? input.slice(1) : input;
  const separator = chooseSeparator(text);
  const records: CsvRecord[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const startLine = line;
    const fields: string[] = [];
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at, separator);
      if (field === undefined) return fail({ line: startLine, message: "a quoted field does not end properly" });
      fields.push(field.value);
      line += field.lineBreaks;
      at = field.end;
      if (text[at] === separator) at += 1;
      else break;
    }
    if (text[at] === "\r") at += 1;
    if (at < text.length && text[at] !== "\n") return fail({ line, message: "text after a quoted field" });
    at += 1;
    line += 1;
    if (fields.length > 1 || fields[0] !== "") records.push({ line: startLine, fields });
  }
  return ok(records);
}

function chooseSeparator(text: string): "," | ";" {
  const firstLine = text.slice(0, text.indexOf("\n") === -1 ? text.length : text.indexOf("\n"));
  return firstLine.split(";").length > firstLine.split(",").length ? ";" : ",";
}

type Field = { readonly value: string; readonly end: number; readonly lineBreaks: number };

function plainField(text: string, start: number, separator: string): Field {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { value: text.slice(start, end), end, lineBreaks: 0 };
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
