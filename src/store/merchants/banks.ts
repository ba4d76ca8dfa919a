import type { Id } from "../../core/ids.ts";
import type { Bank } from "../../core/merchants/bank.ts";
import type { Transaction } from "../db.ts";

export type StoredBank = Bank & { readonly id: Id; readonly disabledAt: Date | null };

const COLUMNS = `id, name, symbol, sbp_code as "sbpCode", is_sbp_bank as "isSbpBank", country_code as "countryCode",
  disabled_at as "disabledAt"`;

export function listBanks(tx: Transaction): Promise<StoredBank[]> {
  return tx.run<StoredBank>({ text: `select ${COLUMNS} from banks order by symbol` });
}

/** Imports work on the whole list; the lock keeps two of them from making the same symbol. */
export async function lockBanks(tx: Transaction): Promise<StoredBank[]> {
  await tx.run({ text: "lock table banks in share row exclusive mode" });
  return listBanks(tx);
}

export async function insertBanks(tx: Transaction, banks: readonly (Bank & { readonly id: Id })[]): Promise<void> {
  await tx.run({
    text: `insert into banks (id, name, symbol, sbp_code, is_sbp_bank, country_code)
           select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[])`,
    values: [
      banks.map((bank) => bank.id),
      banks.map((bank) => bank.name),
      banks.map((bank) => bank.symbol),
      banks.map((bank) => bank.sbpCode),
      banks.map((bank) => bank.isSbpBank),
      banks.map((bank) => bank.countryCode),
    ],
  });
}

export async function renameBank(tx: Transaction, id: Id, name: string): Promise<void> {
  await tx.run({ text: "update banks set name = $2 where id = $1", values: [id, name] });
}

export async function setBankDisabled(tx: Transaction, symbol: string, disabled: boolean): Promise<boolean> {
  const rows = await tx.run({
    text: `update banks set disabled_at = case when $2 then coalesce(disabled_at, now()) end where symbol = $1 returning id`,
    values: [symbol, disabled],
  });
  return rows.length === 1;
}
