import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

export type Merchant = { readonly id: Id; readonly name: string; readonly createdAt: Date };

export async function insertMerchant(tx: Transaction, merchant: { id: Id; name: string }): Promise<void> {
  await tx.run({ text: "insert into merchants (id, name) values ($1, $2)", values: [merchant.id, merchant.name] });
}

export function listMerchants(tx: Transaction): Promise<Merchant[]> {
  return tx.run<Merchant>({ text: `select id, name, created_at as "createdAt" from merchants order by id` });
}

export async function findMerchant(tx: Transaction, id: Id): Promise<Merchant | undefined> {
  const rows = await tx.run<Merchant>({
    text: `select id, name, created_at as "createdAt" from merchants where id = $1`,
    values: [id],
  });
  return rows[0];
}

/** Changes of what a merchant has come one after the other. Payments of the merchant do not wait for it. */
export async function lockMerchant(tx: Transaction, id: Id): Promise<void> {
  await tx.run({ text: "select id from merchants where id = $1 for no key update", values: [id] });
}
