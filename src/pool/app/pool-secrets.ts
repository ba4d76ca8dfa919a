import type { Keyring } from "../../platform/secrets.ts";

/** What lies sealed in the pool's tables, each bound to its row and column. */
export type PoolColumn = {
  readonly table: "requisites" | "receiving_accounts" | "bank_lines" | "hand_payouts";
  readonly column: "value" | "holder" | "number" | "payer" | "receiver";
  readonly row: string;
};

/** What the bank says of the other side of a bank line, which is named by its account and the bank's reference. */
export function payerPlace(accountId: string, reference: string): PoolColumn {
  return { table: "bank_lines", column: "payer", row: `${accountId}:${reference}` };
}

export function sealText(keyring: Keyring, place: PoolColumn, text: string): Buffer {
  return keyring.seal(place, Buffer.from(text));
}

/** Throws when it was changed, or moved from another row. */
export function unsealText(keyring: Keyring, place: PoolColumn, sealed: Buffer): string {
  return keyring.unseal(place, sealed).reveal().toString("utf8");
}

/** Requisites and account numbers are found by one hash: a statement may name either. */
export function hashOfNumber(keyring: Keyring, number: string): Buffer {
  return keyring.lookupHash("pool.number", number);
}
