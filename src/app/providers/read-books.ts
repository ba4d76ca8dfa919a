import type { ProviderBalance, ProviderBank, ProviderBooks } from "../../core/connector.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import { saveProviderBalances } from "../../store/providers/provider-balances.ts";
import { noteAnswer, noteSilence, type ReadingName } from "../../store/providers/provider-readings.ts";
import { rematchBanks } from "./bank-names.ts";

type ReadDeps = { readonly db: Database; readonly log: Pick<Log, "info" | "warn"> };

/** Asks a provider what we have there, and then writes it. False: it did not answer, and what it said before stays. */
export async function readProviderBalances(deps: ReadDeps, provider: string, books: ProviderBooks): Promise<boolean> {
  const name = { provider, what: "balances" } as const;
  const balances = await answerOf(books.readBalances);
  if (balances === undefined) return isSilent(deps, name);
  const failingSince = await deps.db.transaction(async (tx) => {
    await saveProviderBalances(tx, provider, oneOfEach(balances));
    return noteAnswer(tx, name);
  });
  return answers(deps, name, failingSince);
}

/** The same of the banks that it knows; they are matched with ours at once. */
export async function readProviderBanks(deps: ReadDeps, provider: string, books: ProviderBooks): Promise<boolean> {
  const name = { provider, what: "banks" } as const;
  const banks = await answerOf(books.readBanks);
  if (banks === undefined) return isSilent(deps, name);
  const failingSince = await deps.db.transaction(async (tx) => {
    const since = await noteAnswer(tx, name, usable(banks));
    await rematchBanks(tx, provider);
    return since;
  });
  return answers(deps, name, failingSince);
}

/** A connector that throws has not answered. */
function answerOf<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  return read().catch(() => undefined);
}

/** The log has a line when it begins, and one when it is over: not one a minute. */
async function isSilent({ db, log }: ReadDeps, name: ReadingName): Promise<false> {
  if (await noteSilence(db, name)) log.warn({ provider: name.provider }, `a provider does not tell its ${name.what}`);
  return false;
}

function answers({ log }: ReadDeps, { provider, what }: ReadingName, failingSince: Date | undefined): true {
  if (failingSince !== undefined) {
    log.info({ provider, since: failingSince.toISOString() }, `a provider tells its ${what} again`);
  }
  return true;
}

/** A provider that names a currency twice has said nothing that could be added up: the last one stands. */
function oneOfEach(balances: readonly ProviderBalance[]): ProviderBalance[] {
  return [...new Map(balances.map((balance) => [balance.currency, balance])).values()];
}

const BANKS_MAX = 10_000;
const SYMBOL = /^[^\p{Cc}\p{Cs}\s]{1,64}$/u;
const SBP_CODE = /^[0-9A-Za-z]{1,64}$/;
const COUNTRY_CODE = /^[A-Za-z]{2}$/;
const NO_COUNTRY = "";
/** Control characters, and halves of characters, which no database keeps. */
const UNSAFE = /[\p{Cc}\p{Cs}]/gu;

/** What cannot be a symbol is left out, and what no name may hold: the list is stored, and shown to people. */
function usable(banks: readonly ProviderBank[]): ProviderBank[] {
  const bySymbol = new Map(banks.filter(({ symbol }) => SYMBOL.test(symbol)).map((bank) => [bank.symbol, bank]));
  return [...bySymbol.values()].slice(0, BANKS_MAX).map(({ symbol, name, sbpCode, countryCode }) => ({
    symbol,
    name: name.replaceAll(UNSAFE, " "),
    sbpCode: sbpCode !== undefined && SBP_CODE.test(sbpCode) ? sbpCode : undefined,
    countryCode: COUNTRY_CODE.test(countryCode) ? countryCode : NO_COUNTRY,
  }));
}
