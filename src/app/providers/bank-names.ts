import type { ProviderBank } from "../../core/connector.ts";
import { groupBy } from "../../core/group-by.ts";
import { NO_SBP_CODE } from "../../core/merchants/bank.ts";
import { type MappedBank, readBankMap } from "../../core/provider-books/bank-map-file.ts";
import { type BankMatch, type BankPair, type MatchedBank, matchBanks } from "../../core/provider-books/match-banks.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listBanks, type StoredBank } from "../../store/merchants/banks.ts";
import {
  endProviderBanks,
  listProviderBanks,
  lockProviderBanks,
  type ProviderBankName,
  saveProviderBanks,
} from "../../store/providers/provider-banks.ts";
import { findReadBanks } from "../../store/providers/provider-readings.ts";

/** What a provider calls our banks, and what we call its banks; undefined: no bank of the other side was matched. */
export type BankNames = {
  readonly toTheirs: (symbol: string) => string | undefined;
  readonly toOurs: (theirSymbol: string) => string | undefined;
};

/** Of the rows of one provider. */
function bankNamesOf(rows: readonly Pick<BankPair, "symbol" | "theirSymbol">[]): BankNames {
  const theirs = new Map(rows.map(({ symbol, theirSymbol }) => [symbol, theirSymbol]));
  const ours = new Map(rows.map(({ symbol, theirSymbol }) => [theirSymbol, symbol]));
  return { toTheirs: (symbol) => theirs.get(symbol), toOurs: (theirSymbol) => ours.get(theirSymbol) };
}

/** Of all providers, by code. */
export function bankNamesByProvider(rows: readonly ProviderBankName[]): ReadonlyMap<string, BankNames> {
  const groups = groupBy(rows, ({ provider }) => provider);
  return new Map([...groups].map(([provider, own]) => [provider, bankNamesOf(own)]));
}

export type ShownMatch = BankMatch & {
  /** When the provider's list was last read; undefined: never. */
  readonly readAt: Date | undefined;
  readonly ourNames: ReadonlyMap<string, string>;
  readonly theirNames: ReadonlyMap<string, string>;
};

/** The pairs in force, and what is not matched. A pair that was found just now is in force with the next reading of the list. */
export function readBankMatch(db: Database, provider: string): Promise<ShownMatch> {
  return db.transaction(async (tx) => {
    const match = await matchNow(tx, provider, undefined);
    const pairs = await listProviderBanks(tx, provider);
    const [ours, theirs] = [sameBanks(pairs, "symbol"), sameBanks(pairs, "theirSymbol")];
    const newPairs = match.pairs.filter((pair) => !ours.has(pair.symbol) && !theirs.has(pair.theirSymbol));
    return {
      ...match,
      pairs,
      unmatchedOurs: [...match.unmatchedOurs, ...sameBanks(newPairs, "symbol")].filter((each) => !ours.has(each)),
      unmatchedTheirs: [...match.unmatchedTheirs, ...sameBanks(newPairs, "theirSymbol")].filter(
        (each) => !theirs.has(each),
      ),
    };
  }, "snapshot");
}

function sameBanks(pairs: readonly BankPair[], side: "symbol" | "theirSymbol"): ReadonlySet<string> {
  return new Set(pairs.map((pair) => pair[side]));
}

/** Matches again, after the provider's list was read. Answers what changed. */
export async function rematchBanks(tx: Transaction, provider: string): Promise<number> {
  await lockProviderBanks(tx);
  return savePairs(tx, provider, (await matchNow(tx, provider, undefined)).pairs);
}

export type MapReport = { readonly fromFile: number; readonly changed: number };

/** Takes an operator's file, in place of an earlier one: all of it, or nothing. */
export function mapBanks(db: Database, provider: string, file: string): Promise<Result<MapReport, readonly string[]>> {
  return db.transaction(async (tx) => {
    await lockProviderBanks(tx);
    const read = await findReadBanks(tx, provider);
    const ours = new Set((await listBanks(tx)).map(({ symbol }) => symbol));
    const theirs = read && new Set(read.banks.map(({ symbol }) => symbol));
    const mapped = readBankMap(file, { ours, theirs });
    if (!mapped.ok) return fail(mapped.error);
    const { pairs } = await matchNow(tx, provider, mapped.value);
    return ok({ fromFile: mapped.value.length, changed: await savePairs(tx, provider, pairs) });
  });
}

/** `fromFile`: an operator's new file; undefined: the one that was taken before. */
async function matchNow(
  tx: Transaction,
  provider: string,
  fromFile: readonly MappedBank[] | undefined,
): Promise<ShownMatch> {
  const stored = await listProviderBanks(tx, provider);
  const ours = await listBanks(tx);
  const read = await findReadBanks(tx, provider);
  const byFile = fromFile ?? stored.filter(({ source }) => source === "file");
  const theirs = read?.banks ?? [];
  const match = matchBanks(
    ours.filter(({ disabledAt }) => disabledAt === null).map(ourBank),
    theirs.map(theirBank),
    byFile.map(({ symbol, theirSymbol }) => ({ symbol, theirSymbol })),
  );
  return {
    ...match,
    readAt: read?.readAt,
    ourNames: new Map(ours.map(({ symbol, name }) => [symbol, name])),
    theirNames: new Map(theirs.map(({ symbol, name }) => [symbol, name])),
  };
}

/** Rows that say so already are not written: every write makes all processes read the directory. */
async function savePairs(tx: Transaction, provider: string, pairs: readonly BankPair[]): Promise<number> {
  const stored = new Map((await listProviderBanks(tx, provider)).map((row) => [row.symbol, row]));
  const wanted = new Map(pairs.map((pair) => [pair.symbol, pair]));
  const ended = [...stored.values()].filter(
    ({ symbol, theirSymbol }) => wanted.get(symbol)?.theirSymbol !== theirSymbol,
  );
  const changed = pairs.filter(({ symbol, theirSymbol, source }) => {
    const row = stored.get(symbol);
    return row?.theirSymbol !== theirSymbol || row.source !== source;
  });
  const endedSymbols = ended.map(({ symbol }) => symbol);
  if (endedSymbols.length > 0) await endProviderBanks(tx, provider, endedSymbols);
  if (changed.length > 0) await saveProviderBanks(tx, provider, changed);
  return new Set([...endedSymbols, ...changed.map(({ symbol }) => symbol)]).size;
}

function ourBank({ symbol, name, names, sbpCode, countryCode }: StoredBank): MatchedBank {
  return { symbol, sbpCode, countryCode, names: [name, ...Object.values(names)] };
}

function theirBank({ symbol, name, sbpCode = NO_SBP_CODE, countryCode }: ProviderBank): MatchedBank {
  return { symbol, sbpCode, countryCode, names: [name] };
}
