import type { WrappedDataKey } from "../../platform/secrets.ts";
import type { Transaction } from "../db.ts";

/** An arbitrary number that all Tillgate processes agree on: only one at a time makes or re-wraps data keys. */
const DATA_KEYS_LOCK = 5_171_002;

export function listDataKeys(tx: Transaction): Promise<WrappedDataKey[]> {
  return tx.run<WrappedDataKey>({
    text: `select id, purpose, wrapped_key as "wrappedKey", wrapped_by as "wrappedBy" from data_keys order by created_at, id`,
  });
}

export async function lockDataKeys(tx: Transaction): Promise<WrappedDataKey[]> {
  await tx.run({ text: "select pg_advisory_xact_lock($1)", values: [DATA_KEYS_LOCK] });
  return listDataKeys(tx);
}

export async function insertDataKey(tx: Transaction, key: WrappedDataKey): Promise<void> {
  await tx.run({
    text: "insert into data_keys (id, purpose, wrapped_key, wrapped_by) values ($1, $2, $3, $4)",
    values: [key.id, key.purpose, key.wrappedKey, key.wrappedBy],
  });
}

export async function rewrapDataKey(tx: Transaction, key: WrappedDataKey): Promise<void> {
  await tx.run({
    text: "update data_keys set wrapped_key = $2, wrapped_by = $3 where id = $1",
    values: [key.id, key.wrappedKey, key.wrappedBy],
  });
}
