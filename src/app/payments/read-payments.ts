import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listSuspenseMoves, type StoredSuspenseMove, sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { listPageChoices, type PageChoice } from "../../store/page/page-choices.ts";
import { listAttempts, type StoredAttempt } from "../../store/payments/attempts.ts";
import {
  type CallbackEntry,
  type HistoryEntry,
  listCallbacks,
  listHistory,
  listReceipts,
  listTransfers,
  type TransferEntry,
} from "../../store/payments/payment-trail.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import {
  findPaymentKey,
  findShownPayment,
  listPayments,
  type PaymentFilter,
  type ShownPayment,
} from "../../store/payments/read-payments.ts";
import type { Receipt } from "../../store/payments/receipts.ts";

/** What operators read of payments. Sealed columns are not even selected. */

const LIST_TIMEOUT_MS = 60_000;

/** A page of a list. A filter that fits few payments may have to read many, so it gets more time than other statements. */
export function readPaymentPage(db: Database, filter: PaymentFilter): Promise<ShownPayment[]> {
  return db.transaction(async (tx) => {
    await tx.run({ text: `set local statement_timeout = ${LIST_TIMEOUT_MS}` });
    return listPayments(tx, filter, LIST_TIMEOUT_MS);
  }, "snapshot");
}

/** Everything that is known of one payment. `ByHand` is what the pool knows of a payout that a person was to make. */
export type PaymentTrail<ByHand> = {
  readonly payment: ShownPayment;
  /** What stands in suspense under it. */
  readonly suspense: Minor;
  /** What the payer of a hosted page chose. */
  readonly choices: readonly PageChoice[];
  readonly attempts: readonly StoredAttempt[];
  readonly byHand: ByHand | undefined;
  readonly receipts: readonly Receipt[];
  readonly transfers: readonly TransferEntry[];
  readonly moves: readonly StoredSuspenseMove[];
  readonly callbacks: readonly CallbackEntry[];
  readonly history: readonly HistoryEntry[];
};

/** Our name for a payment, or the merchant's; the merchant's may name a pay-in and a payout. */
export type PaymentName =
  | { readonly requestId: Id }
  | { readonly projectId: Id; readonly paymentId: string; readonly direction: Direction | undefined };

/** Reads what is known of a payout by hand, without what is sealed of it. */
export type FindByHand<ByHand> = (tx: Transaction, key: PaymentKey) => Promise<ByHand | undefined>;

/** Those of that name, in one snapshot: none, one, or a pay-in and a payout that share a payment_id. */
export function readPaymentTrails<ByHand>(
  { db, findByHand }: { readonly db: Database; readonly findByHand: FindByHand<ByHand> },
  name: PaymentName,
): Promise<PaymentTrail<ByHand>[]> {
  return db.transaction(async (tx) => {
    const trails: PaymentTrail<ByHand>[] = [];
    for (const key of await listKeys(tx, name)) {
      const trail = await readTrail(tx, key, findByHand);
      if (trail !== undefined) trails.push(trail);
    }
    return trails;
  }, "snapshot");
}

async function listKeys(tx: Transaction, name: PaymentName): Promise<readonly PaymentKey[]> {
  if (!("requestId" in name)) return listPayments(tx, { ...name, order: "oldest", limit: 2 });
  const key = await findPaymentKey(tx, name.requestId);
  return key === undefined ? [] : [key];
}

async function readTrail<ByHand>(
  tx: Transaction,
  key: PaymentKey,
  findByHand: FindByHand<ByHand>,
): Promise<PaymentTrail<ByHand> | undefined> {
  const payment = await findShownPayment(tx, key);
  if (payment === undefined) return undefined;
  return {
    payment,
    suspense: await sumSuspense(tx, key),
    choices: payment.product === "widget" ? await listPageChoices(tx, key) : [],
    attempts: await listAttempts(tx, key.projectId, key.requestId),
    byHand: await findByHand(tx, key),
    receipts: await listReceipts(tx, key),
    transfers: await listTransfers(tx, key),
    moves: await listSuspenseMoves(tx, key),
    callbacks: await listCallbacks(tx, key),
    history: await listHistory(tx, key),
  };
}
