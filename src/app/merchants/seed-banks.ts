import { BANK_SEED } from "../../core/merchants/bank-seed.ts";
import type { Database } from "../../store/db.ts";
import { findSetting, saveSetting } from "../../store/processes/settings.ts";
import { mergeBanks } from "./banks.ts";

const SEEDED_SETTING = "banks_seeded";

/** Gives a new installation its first banks, once: what an operator renames or disables later stays so. */
export async function seedBanks(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await findSetting(tx, SEEDED_SETTING)) !== undefined) return;
    await mergeBanks(tx, BANK_SEED);
    await saveSetting(tx, SEEDED_SETTING, "1");
  });
}
