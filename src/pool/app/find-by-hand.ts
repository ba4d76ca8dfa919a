import type { Transaction } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { findHandPayoutOf, type StoredHandPayout } from "../store/hand-payouts.ts";

/** A payout that a person was to make. What is sealed of it stays so. */
export type ByHand = Omit<StoredHandPayout, "receiver" | "receiverHash">;

export async function findByHand(tx: Transaction, key: PaymentKey): Promise<ByHand | undefined> {
  const found = await findHandPayoutOf(tx, key);
  if (found === undefined) return undefined;
  const { receiver: _sealed, receiverHash: _hash, ...plain } = found;
  return plain;
}
