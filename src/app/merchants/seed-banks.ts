import { bankKey } from "../../core/merchants/bank.ts";
import { type BankLook, withListedName } from "../../core/merchants/bank-look.ts";
import { BANK_SEED } from "../../core/merchants/bank-seed.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { lockBanks, type StoredBank, saveBankLook } from "../../store/merchants/banks.ts";
import { findSetting, saveSetting } from "../../store/processes/settings.ts";
import { mergeBanks } from "./banks.ts";

const SEEDED_SETTING = "banks_seeded";
/** Rises when the seed grows: an installation that was seeded before gets what is new in it, once. */
const SEED_VERSION = 2;

/** Gives an installation its first banks: what an operator renames, disables or describes otherwise stays so. */
export async function seedBanks(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const seeded = Number((await findSetting(tx, SEEDED_SETTING)) ?? 0);
    if (seeded >= SEED_VERSION) return;
    const known = await lockBanks(tx);
    const keys = new Set(known.map(bankKey));
    await mergeBanks(
      tx,
      BANK_SEED.filter((bank) => !keys.has(bankKey(bank))),
    );
    await describeBanks(tx, known);
    await saveSetting(tx, SEEDED_SETTING, String(SEED_VERSION));
  });
}

/** Those that were there before they could be described, by what the operator calls them now. */
async function describeBanks(tx: Transaction, known: readonly StoredBank[]): Promise<void> {
  const looks = new Map(BANK_SEED.map((bank) => [bankKey(bank), bank]));
  for (const bank of known) {
    const look = looks.get(bankKey(bank));
    if (look === undefined || !isPlain(bank)) continue;
    const names = bank.name === look.name ? look.names : withListedName(look.names, bank.name);
    await saveBankLook(tx, bank.id, { ...look, names });
  }
}

function isPlain({ names, aliases, popularity, colour }: BankLook): boolean {
  return Object.keys(names).length + aliases.length === 0 && popularity === null && colour === null;
}
