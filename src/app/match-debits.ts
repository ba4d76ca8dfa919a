import type { Transaction } from "../store/db.ts";
import type { PaymentKey } from "../store/payments.ts";
import type { TimedTransfer } from "./record-transfers.ts";

/** A payout by hand that a debit may be. */
export type DebitClaimant = PaymentKey & { readonly reference: string };

export async function findDebitClaimants(
  _tx: Transaction,
  _transfers: readonly TimedTransfer[],
): Promise<ReadonlyMap<TimedTransfer, DebitClaimant>> {
  return new Map();
}

export async function noteDebitPaid(
  _tx: Transaction,
  _claimant: DebitClaimant,
  _transfer: TimedTransfer,
  _actor: string,
): Promise<void> {}
