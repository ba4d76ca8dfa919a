import { parseCsv } from "../csv.ts";
import { quote } from "../quote.ts";
import { fail, ok, type Result } from "../result.ts";
import type { BankPair } from "./match-banks.ts";

/** What an operator's file may name. */
export type KnownBanks = {
  readonly ours: ReadonlySet<string>;
  /** Undefined: the provider's list was never read, so that any symbol of theirs may be right. */
  readonly theirs: ReadonlySet<string> | undefined;
};

export type MappedBank = Omit<BankPair, "source">;

const COLUMNS = "ours,theirs";
const SYMBOL = /^[^\p{Cc}\s]{1,64}$/u;

/** Reads an operator's pairs of banks, `ours,theirs`. Anything wrong refuses the whole file, line by line. */
export function readBankMap(text: string, known: KnownBanks): Result<readonly MappedBank[], readonly string[]> {
  const csv = parseCsv(text);
  if (!csv.ok) return fail([`line ${csv.error.line}: ${csv.error.message}`]);
  const [header, ...records] = csv.value;
  if (header === undefined || header.fields.map((field) => field.trim().toLowerCase()).join(",") !== COLUMNS) {
    return fail([`line ${header?.line ?? 1}: the header must be ${COLUMNS}`]);
  }
  const faults: string[] = [];
  const lines = { ours: new Map<string, number>(), theirs: new Map<string, number>() };
  const pairs = records.map(({ line, fields }): MappedBank => {
    const [symbol = "", theirSymbol = ""] = fields.map((field) => field.trim());
    const found = fields.length === 2 ? pairFaults({ symbol, theirSymbol }, known) : [fieldCount(fields.length)];
    found.push(...doubled("our bank", symbol, lines.ours, line));
    found.push(...doubled("their bank", theirSymbol, lines.theirs, line));
    faults.push(...found.map((fault) => `line ${line}: ${fault}`));
    return { symbol, theirSymbol };
  });
  return faults.length > 0 ? fail(faults) : ok(pairs);
}

function fieldCount(count: number): string {
  return `${count} fields where the header has 2`;
}

function pairFaults({ symbol, theirSymbol }: MappedBank, { ours, theirs }: KnownBanks): string[] {
  const faults: string[] = [];
  if (!ours.has(symbol)) faults.push(`there is no bank ${quote(symbol)} here`);
  if (!SYMBOL.test(theirSymbol)) faults.push("their symbol must have 1 to 64 characters, without spaces");
  else if (theirs !== undefined && !theirs.has(theirSymbol)) {
    faults.push(`the provider lists no bank ${quote(theirSymbol)}`);
  }
  return faults;
}

function doubled(what: string, symbol: string, lines: Map<string, number>, line: number): string[] {
  const earlier = lines.get(symbol);
  lines.set(symbol, earlier ?? line);
  return earlier === undefined || symbol === "" ? [] : [`${what} ${quote(symbol)} is on line ${earlier} already`];
}
