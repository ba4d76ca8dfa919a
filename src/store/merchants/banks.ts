import type { Id } from "../../core/ids.ts";
import type { Bank } from "../../core/merchants/bank.ts";
import type { BankLook } from "../../core/merchants/bank-look.ts";
import type { Transaction } from "../db.ts";

export type StoredBank = Bank &
  BankLook & {
    readonly id: Id;
    readonly disabledAt: Date | null;
    /** Of the operator's picture; null: it has none. */
    readonly imageVersion: string | null;
  };

export type NewBank = Bank & { readonly id: Id } & { readonly [Part in keyof BankLook]?: BankLook[Part] | undefined };

export type BankImage = { readonly type: "image/png" | "image/jpeg"; readonly bytes: Buffer };

const COLUMNS = `id, name, symbol, sbp_code as "sbpCode", is_sbp_bank as "isSbpBank", country_code as "countryCode",
  disabled_at as "disabledAt", names, aliases, popularity, colour, image_version as "imageVersion"`;

export function listBanks(tx: Transaction): Promise<StoredBank[]> {
  return tx.run<StoredBank>({ text: `select ${COLUMNS} from banks order by symbol` });
}

/** Imports work on the whole list; the lock keeps two of them from making the same symbol. */
export async function lockBanks(tx: Transaction): Promise<StoredBank[]> {
  await tx.run({ text: "lock table banks in share row exclusive mode" });
  return listBanks(tx);
}

export async function insertBanks(tx: Transaction, banks: readonly NewBank[]): Promise<void> {
  await tx.run({
    text: `insert into banks (id, name, symbol, sbp_code, is_sbp_bank, country_code, names, aliases, popularity, colour)
           select id, name, symbol, sbp_code, is_sbp_bank, country_code, names,
                  array(select jsonb_array_elements_text(aliases)), popularity, colour
             from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[],
                         $7::jsonb[], $8::jsonb[], $9::integer[], $10::text[])
               as b (id, name, symbol, sbp_code, is_sbp_bank, country_code, names, aliases, popularity, colour)`,
    values: [
      banks.map((bank) => bank.id),
      banks.map((bank) => bank.name),
      banks.map((bank) => bank.symbol),
      banks.map((bank) => bank.sbpCode),
      banks.map((bank) => bank.isSbpBank),
      banks.map((bank) => bank.countryCode),
      banks.map(({ names = {} }) => JSON.stringify(names)),
      banks.map(({ aliases = [] }) => JSON.stringify(aliases)),
      banks.map(({ popularity = null }) => popularity),
      banks.map(({ colour = null }) => colour),
    ],
  });
}

export async function renameBank(tx: Transaction, id: Id, name: string, names: BankLook["names"]): Promise<void> {
  await tx.run({
    text: "update banks set name = $2, names = $3 where id = $1",
    values: [id, name, JSON.stringify(names)],
  });
}

export async function saveBankLook(tx: Transaction, id: Id, look: BankLook): Promise<void> {
  await tx.run({
    text: "update banks set names = $2, aliases = $3, popularity = $4, colour = $5 where id = $1",
    values: [id, JSON.stringify(look.names), look.aliases, look.popularity, look.colour],
  });
}

export async function saveBankImage(tx: Transaction, id: Id, image: BankImage | undefined): Promise<void> {
  await tx.run({
    text: "update banks set image = $2, image_type = $3 where id = $1",
    values: [id, image?.bytes ?? null, image?.type ?? null],
  });
}

export async function findBankImage(tx: Transaction, id: Id): Promise<BankImage | undefined> {
  const rows = await tx.run<{ type: BankImage["type"] | null; bytes: Buffer | null }>({
    text: "select image_type as type, image as bytes from banks where id = $1",
    values: [id],
  });
  const { type = null, bytes = null } = rows[0] ?? {};
  return type === null || bytes === null ? undefined : { type, bytes };
}

export async function setBankDisabled(tx: Transaction, symbol: string, disabled: boolean): Promise<boolean> {
  const rows = await tx.run({
    text: `update banks set disabled_at = case when $2 then coalesce(disabled_at, now()) end where symbol = $1 returning id`,
    values: [symbol, disabled],
  });
  return rows.length === 1;
}
