import { fail, ok, type Result } from "../../../core/result.ts";

export type StatementFormat = "csv" | "camt.053";

/** How much of a file's beginning is enough to tell what it is. */
export const DETECT_CHARS = 4_096;

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";
const WANTED = `${NAMESPACE}camt.053.`;

const FOREIGN_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^PK\p{Cc}\p{Cc}/u, "The file is a spreadsheet or a ZIP archive. Save it as CSV."],
  [/^%PDF/, "The file is a PDF. Ask the bank for CSV or camt.053."],
  [/^(?:\{1:|:20:)/, "The file is SWIFT MT940. Ask the bank for CSV or camt.053."],
  [/^1CClientBankExchange/, "The file is a 1C exchange file. Ask the bank for CSV or camt.053."],
  [/^[{[]/, "The file is JSON. A statement is CSV or camt.053."],
  [/\0/, "The file is not text. A statement is CSV or camt.053."],
];

/** Tells from the beginning of a file how to read it, or says in a sentence why it cannot be read. */
export function detectStatement(firstChars: string): Result<StatementFormat, string> {
  const start = firstChars.replace(/^\uFEFF/, "").trimStart();
  if (start === "") return fail("The file is empty.");
  if (start.startsWith("<")) return detectXml(start);
  const foreign = FOREIGN_FORMATS.find(([pattern]) => pattern.test(start));
  if (foreign !== undefined) return fail(foreign[1]);
  return /[,;\t]/.test(start) ? ok("csv") : fail("The file is neither CSV nor camt.053.");
}

function detectXml(start: string): Result<StatementFormat, string> {
  const namespace = /urn:iso:std:iso:20022:tech:xsd:[a-z0-9.]{1,40}/.exec(start)?.[0];
  if (namespace === undefined) return fail("The file is XML, but not an ISO 20022 camt.053 statement.");
  const fault = namespaceFault(namespace);
  return fault === undefined ? ok("camt.053") : fail(fault);
}

/** Why a document of this namespace is not read; undefined for a statement. */
export function namespaceFault(namespace: string): string | undefined {
  if (namespace.startsWith(WANTED)) return undefined;
  const message = /^urn:iso:std:iso:20022:tech:xsd:([a-z]{4}\.[0-9]{3})/.exec(namespace)?.[1];
  if (message === "camt.052")
    return "The file is camt.052, a report within the day that can still change. Take camt.053.";
  if (message === "camt.054") return "The file is camt.054, a notification without balances. Take camt.053.";
  return message === undefined
    ? "The file is XML, but not an ISO 20022 camt.053 statement."
    : `The file is ${message} and not camt.053.`;
}
