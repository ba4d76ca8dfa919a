import { closeSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { findCurrency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { ENTRY_STATUSES, type TheirEntry } from "../../core/provider-books/compare-entry.ts";
import { CliFault } from "../kit/command.ts";
import { reasonOf } from "../kit/input-file.ts";

/** What a provider answered, a line of JSON each, so that a run which was interrupted can go on. */
export type AnswersFile = {
  readonly known: ReadonlyMap<string, TheirEntry>;
  readonly append: (reference: string, entry: TheirEntry) => void;
  readonly close: () => void;
};

export const NO_ANSWERS_FILE: AnswersFile = { known: new Map(), append: () => undefined, close: () => undefined };

/** It names payments, so that only its owner may read it. */
const OWNER_ONLY = 0o600;

export function openAnswersFile(path: string, provider: string): AnswersFile {
  try {
    const known = readAnswers(path, provider);
    const file = openSync(path, "a", OWNER_ONLY);
    return {
      known,
      append: (reference, entry) => writeSync(file, `${JSON.stringify(lineOf(provider, reference, entry))}\n`),
      close: () => closeSync(file),
    };
  } catch (error) {
    if (error instanceof CliFault) throw error;
    throw new CliFault(`${path} cannot be used: ${reasonOf(error)}.`);
  }
}

function lineOf(provider: string, reference: string, { status, word, amount, currency, fee }: TheirEntry) {
  return { provider, reference, status, word, amount: amount.toString(), currency, fee: fee?.toString() ?? null };
}

/** Those that are over: what was open then may have changed, and is asked for again. */
function readAnswers(path: string, provider: string): ReadonlyMap<string, TheirEntry> {
  const known = new Map<string, TheirEntry>();
  const text = readIfThere(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = whole.split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    const read = readLine(line);
    if (read?.provider !== provider) {
      throw new CliFault(`${path}, line ${index + 1}: it is no answer of ${provider}. Name another file.`);
    }
    if (read.entry.status !== "open") known.set(read.reference, read.entry);
  }
  // A process that was killed may have left half a line at the end. Anything else there is another file, named by mistake.
  const half = text.slice(whole.length);
  const begin = JSON.stringify({ provider }).slice(0, -1);
  if (!half.startsWith(begin) && !begin.startsWith(half)) {
    throw new CliFault(`${path}, line ${lines.length + 1}: it is no answer of ${provider}. Name another file.`);
  }
  if (half !== "") truncateSync(path, Buffer.byteLength(whole));
  return known;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

type Line = { readonly provider: string; readonly reference: string; readonly entry: TheirEntry };

function readLine(text: string): Line | undefined {
  const { provider, reference, status, word, amount, currency, fee } = parse(text);
  const found = { status: ENTRY_STATUSES.find((each) => each === status), currency: findCurrency(String(currency)) };
  const isText = typeof provider === "string" && typeof reference === "string" && typeof word === "string";
  if (!isText || found.status === undefined || found.currency === undefined) return undefined;
  if (!isSum(amount) || !(fee === null || isSum(fee))) return undefined;
  const money = { amount: BigInt(amount) as Minor, fee: fee === null ? undefined : (BigInt(fee) as Minor) };
  return { provider, reference, entry: { status: found.status, word, currency: found.currency, ...money } };
}

function isSum(value: unknown): value is string {
  return typeof value === "string" && /^[0-9]{1,15}$/.test(value);
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
