import { fail, ok, type Result } from "../result.ts";
import { type BankLook, findLookFaults } from "./bank-look.ts";

/** What a file says of the look of one bank. What is absent stays as it is; null takes it away. */
export type LookEntry = Partial<BankLook> & {
  readonly place: string;
  readonly symbol: string;
  /** The name of a picture's file; null: our own mark again. */
  readonly image?: string | null;
};

/** Reads `{"banks": [{"symbol": …, "names": {…}, …}]}`; undefined when the file is of another form. A fault refuses all of it. */
export function readLookFile(text: string): Result<readonly LookEntry[], readonly string[]> | undefined {
  const banks = findBanks(text);
  if (banks === undefined) return undefined;
  if (!Array.isArray(banks)) return fail(['"banks" must be a list']);
  if (banks.length === 0) return fail(["the file lists no bank"]);
  const entries = banks.map((bank, index) => readEntry(bank, `banks[${index}]`));
  const faults = entries.flatMap((entry) => (entry.ok ? [] : entry.error));
  const read = entries.flatMap((entry) => (entry.ok ? [entry.value] : []));
  const doubled = read.filter(({ symbol }, at) => read.findIndex((each) => each.symbol === symbol) < at);
  faults.push(...doubled.map(({ place, symbol }) => `${place}: ${symbol} is listed before`));
  return faults.length > 0 ? fail(faults) : ok(read);
}

function findBanks(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(parsed) ? parsed.banks : undefined;
  } catch {
    return undefined;
  }
}

/** What each member must be. */
const MEMBERS = new Map<string, readonly [is: (value: unknown) => boolean, form: string]>([
  ["symbol", [isText, "a text"]],
  ["names", [(value) => isRecord(value) && Object.values(value).every(isText), "an object of names by language"]],
  ["aliases", [(value) => Array.isArray(value) && value.every(isText), "a list of texts"]],
  ["popularity", [(value) => value === null || typeof value === "number", "a number or null"]],
  ["colour", [isTextOrNull, "a text or null"]],
  ["image", [isTextOrNull, "the name of a file, or null"]],
]);

function readEntry(bank: unknown, place: string): Result<LookEntry, string[]> {
  if (!isRecord(bank)) return fail([`${place}: each bank must be an object`]);
  const faults = Object.entries(bank).flatMap(([name, value]) => {
    const [is, form] = MEMBERS.get(name) ?? [];
    if (is === undefined) return [`"${name.slice(0, 40)}" is not known`];
    return is(value) ? [] : [`"${name}" must be ${form}`];
  });
  if (bank.symbol === undefined) faults.push('"symbol" is missing');
  if (faults.length === 0) faults.push(...findLookFaults(bank));
  return faults.length > 0
    ? fail(faults.map((each) => `${place}: ${each}`))
    : ok({ ...(bank as Omit<LookEntry, "place">), place });
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
