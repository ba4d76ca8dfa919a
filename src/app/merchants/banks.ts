import {
  type Bank,
  type BankFacts,
  bankKey,
  findBankFaults,
  makeSymbol,
  NO_SBP_CODE,
} from "../../core/merchants/bank.ts";
import { readBankFile } from "../../core/merchants/bank-import.ts";
import { type BankLook, withListedName } from "../../core/merchants/bank-look.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  insertBanks,
  lockBanks,
  type NewBank,
  renameBank,
  type StoredBank,
  setBankDisabled,
} from "../../store/merchants/banks.ts";

export type ImportReport = {
  readonly added: readonly string[];
  readonly renamed: readonly string[];
  readonly unchanged: number;
};

/** Takes in a file of banks, or refuses all of it with every fault and its line. */
export async function importBanks(db: Database, file: string): Promise<Result<ImportReport, readonly string[]>> {
  const read = readBankFile(file);
  if (!read.ok) return read;
  return ok(await db.transaction((tx) => mergeBanks(tx, read.value)));
}

/** Adds the banks that are not known yet; a known one takes the name it is given and keeps its symbol. */
export async function mergeBanks(
  tx: Transaction,
  facts: readonly (BankFacts & Partial<BankLook>)[],
): Promise<ImportReport> {
  const known = await lockBanks(tx);
  const byKey = new Map(known.map((bank) => [bankKey(bank), bank]));
  const taken = new Set(known.map((bank) => bank.symbol));
  const added: NewBank[] = [];
  const renamed: string[] = [];
  for (const fact of facts) {
    const bank = byKey.get(bankKey(fact));
    if (bank === undefined) {
      const symbol = makeSymbol(fact, taken);
      taken.add(symbol);
      const { names, aliases, popularity, colour } = fact;
      added.push({ ...bankOf(fact, symbol), ...{ names, aliases, popularity, colour }, id: newId() });
    } else if (bank.name !== fact.name) {
      // The page shows the new name as well, in the language that it is written in.
      await renameBank(tx, bank.id, fact.name, withListedName(bank.names, fact.name));
      renamed.push(bank.symbol);
    }
  }
  if (added.length > 0) await insertBanks(tx, added);
  const unchanged = facts.length - added.length - renamed.length;
  return { added: added.map((bank) => bank.symbol), renamed, unchanged };
}

export async function addBank(db: Database, facts: BankFacts): Promise<Result<Bank, readonly string[]>> {
  const faults = findBankFaults(facts);
  if (faults.length > 0) return fail(faults);
  return db.transaction(async (tx) => {
    const known = await lockBanks(tx);
    const same = known.find((bank: StoredBank) => bankKey(bank) === bankKey(facts));
    if (same !== undefined) return fail([`this bank is known already, as ${same.symbol}`]);
    const bank = bankOf(facts, makeSymbol(facts, new Set(known.map((each) => each.symbol))));
    await insertBanks(tx, [{ ...bank, id: newId() }]);
    return ok(bank);
  });
}

/** A disabled bank is no longer listed and cannot be named in new requests. False: there is no such bank. */
export function setBankAvailability(db: Database, symbol: string, state: "enabled" | "disabled"): Promise<boolean> {
  return db.transaction((tx) => setBankDisabled(tx, symbol, state === "disabled"));
}

function bankOf(facts: BankFacts, symbol: string): Bank {
  const { name, sbpCode, countryCode } = facts;
  return { name, sbpCode, countryCode, symbol, isSbpBank: sbpCode !== NO_SBP_CODE };
}
