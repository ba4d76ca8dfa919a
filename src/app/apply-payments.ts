import type { Method } from "../core/methods.ts";
import { unprovenEndAfter } from "../core/payment/after-end.ts";
import { deadlineOf } from "../core/payment/deadlines.ts";
import { describeState } from "../core/payment/descriptions.ts";
import { type FeeRates, splitPayin } from "../core/payment/fees.ts";
import { kindOf } from "../core/payment/kinds.ts";
import { dutyOf, waitsForRoom } from "../core/payment/provider-duties.ts";
import { dueAfterChange } from "../core/payment/schedule.ts";
import { fail, ok, type Result } from "../core/result.ts";
import type { AttemptOutcome } from "../store/attempts.ts";
import type { CardPayinRow } from "../store/card-payins.ts";
import type { Database, Transaction } from "../store/db.ts";
import { isDataFault } from "../store/faults.ts";
import { type PostingFault, postingTransaction } from "../store/ledger.ts";
import { type LockedPayment, lockPayments, type PaymentKey, type StoredPayment } from "../store/payments.ts";
import { listKnownReceipts, type Receipt, type ReceiptName } from "../store/receipts.ts";
import {
  decideOrder,
  type Happening,
  kindOfHappening,
  nameOfHappening,
  type Outcome,
  settledThrough,
} from "./decide-order.ts";
import { openGroupCommit } from "./group-commit.ts";
import { orderReference } from "./order-reference.ts";
import { callbackOf, noWrites, type PaymentWrites, ReceiptTaken, transfersOf, writeAll } from "./payment-writes.ts";

/** Something that happened to a payment, with what must be written in the same commit. */
export type PaymentOrder = PaymentKey &
  Happening & {
    /** Who made it happen: merchant, worker, provider, or an operator's name. */
    readonly actor: string;
    readonly detail?: string;
    /** Money says by which transfer it came, so that telling us twice does not count it twice. */
    readonly receivedFrom?: Pick<Receipt, "provider" | "transferReference" | "receivedAt" | "amount">;
    /** Sealed, and the keyed hash of them. */
    readonly requisites?: { readonly sealed: Buffer; readonly hash: Buffer };
    /** What the payer of a hosted page chose, and the card where that was it. */
    readonly choice?: PayerChoice;
    /** Sealed: where the payer of a card goes on. */
    readonly challenge?: Buffer;
    /** The provider that is asked next. Its reference is made and committed here, before anybody is called. */
    readonly nextProvider?: string;
    /** What became of the present attempt. */
    readonly attemptEnd?: { readonly outcome: AttemptOutcome; readonly detail: string | null };
    /** Whoever holds the payment's lease does it; others leave a hint for the holder. */
    readonly byWorker?: true;
    /**
     * The number of the attempt that it is about. A worker that was away so long that another one took over, and asked
     * the next provider, comes too late with it: the payment is no longer where that worker left it.
     */
    readonly ofAttempt?: number;
  };

export type PayerChoice = {
  readonly method: Method;
  readonly rates: FeeRates;
  /** The lifetime that starts anew with the first choice. */
  readonly lifetimeS: number;
  readonly bank: string | undefined;
  readonly card: CardPayinRow | undefined;
};

export type ApplyFault = PostingFault | "payment_unknown" | "refused" | "receipt_taken";

export type ApplyPayment = (order: PaymentOrder) => Promise<Result<StoredPayment, ApplyFault>>;

const BATCH_MAX = 200;
const WRITERS_MAX = 2;

/**
 * The one way in which a payment changes: its state, history, attempts, callback, next due time and transfers are written
 * in one commit. Happenings that arrive together are committed together, with one statement a table and one update a
 * balance; where one of them cannot be written, each is tried by itself.
 */
export function openApplyPayments(db: Database): ApplyPayment {
  const commit = openGroupCommit({
    itemsMax: BATCH_MAX,
    writersMax: WRITERS_MAX,
    isFaultOfOneItem: (error) =>
      isDataFault(error) || error instanceof ReceiptTaken || error instanceof BatchUnpostable,
    ownerOf: ({ projectId }: PaymentOrder) => projectId,
    write: (orders, lockWaitMs) => applyAll(db, orders, lockWaitMs),
  });
  return async (order) => {
    const applied = await commit(order);
    if (applied.ok || applied.error !== "balance_limit") return applied;
    // All of it arrived and does not fit: it waits in suspense, where nothing is lost.
    if ("payin" in order && order.payin.kind === "received")
      return commit({ ...order, payin: { ...order.payin, noRoom: true } });
    if ("card" in order && order.card.kind === "approved")
      return commit({ ...order, card: { ...order.card, noRoom: true } });
    return applied;
  };
}

/** Several orders, of which at least one meets a balance's bounds: nobody knows which. */
class BatchUnpostable extends Error {}

async function applyAll(
  db: Database,
  orders: readonly PaymentOrder[],
  lockWaitMs: number,
): Promise<Result<StoredPayment, ApplyFault>[]> {
  const posted = await postingTransaction(db, (tx) => applyInTransaction(tx, orders), lockWaitMs);
  if (posted.ok) return posted.value;
  if (orders.length > 1) throw new BatchUnpostable();
  return [fail(posted.error)];
}

/**
 * The same inside a transaction of the caller's, who must roll it back where an answer that is not ok may not stand: what
 * was refused is written to the history. A posting fault and a ReceiptTaken are thrown, as by any statement.
 */
export async function applyInTransaction(
  tx: Transaction,
  orders: readonly PaymentOrder[],
): Promise<Result<StoredPayment, ApplyFault>[]> {
  const keys = new Map(
    orders.map(({ projectId, requestId }) => [keyOf({ projectId, requestId }), { projectId, requestId }]),
  );
  return applyToLocked(tx, orders, lockedByKey(await lockPayments(tx, [...keys.values()])));
}

/** Payments that the caller has locked, by what they are known by; `applyToLocked` keeps them as they are by then. */
export type LockedByKey = Map<string, LockedPayment>;

export function lockedByKey(rows: readonly LockedPayment[]): LockedByKey {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/** The same for payments that are locked already: reading them once more would cost as much as writing them. */
export async function applyToLocked(
  tx: Transaction,
  orders: readonly PaymentOrder[],
  payments: LockedByKey,
): Promise<Result<StoredPayment, ApplyFault>[]> {
  const receipts = orders.flatMap(receiptOf);
  const known = new Set(receipts.length === 0 ? [] : (await listKnownReceipts(tx, receipts)).map(nameOf));
  const writes = noWrites();
  const results = orders.map((order) => applyOne({ payments, known, writes }, order));
  await writeAll(tx, writes);
  return results;
}

/** A provider's word that money came, which it may say again and again. */
function isMoney(order: PaymentOrder): boolean {
  if ("payin" in order) return order.payin.kind === "received";
  return "card" in order && order.card.kind === "approved";
}

type Batch = {
  /** As they are after the orders so far. */
  readonly payments: Map<string, LockedPayment>;
  readonly known: Set<string>;
  readonly writes: PaymentWrites;
};

function applyOne(batch: Batch, order: PaymentOrder): Result<StoredPayment, ApplyFault> {
  const { payments, known, writes } = batch;
  const before = payments.get(keyOf(order));
  if (before === undefined || kindOf(before) !== kindOfHappening(order)) return fail("payment_unknown");
  const [receipt] = receiptOf(order);
  if (receipt !== undefined && known.has(nameOf(receipt))) {
    // A provider tells of the same transfer again and again; an operator's reference names one transfer for ever.
    return isMoney(order) ? ok(before) : fail("receipt_taken");
  }
  const isOutdated = order.ofAttempt !== undefined && order.ofAttempt !== before.attemptCount;
  const outcome = isOutdated ? undefined : decideOrder(before, order);
  const event = outcome?.event ?? nameOfHappening(order);
  const { projectId, requestId, state: fromState } = before;
  const line = { projectId, requestId, fromState, event, actor: order.actor };
  if (outcome === undefined) {
    const detail = order.detail === undefined ? "refused" : `refused: ${order.detail}`;
    writes.history.push({ ...line, toState: fromState, detail });
    return fail("refused");
  }
  const after = paymentAfter(before, order, outcome);
  payments.set(keyOf(order), after);
  writes.history.push({ ...line, toState: after.state, detail: order.detail ?? null });
  if (receipt !== undefined) {
    known.add(nameOf(receipt));
    writes.receipts.push(receipt);
  }
  gather(writes, order, { before, after, outcome });
  return ok(after);
}

function paymentAfter(before: LockedPayment, order: PaymentOrder, outcome: Outcome): LockedPayment {
  const { now } = before;
  const { state, changed } = outcome;
  const declineCode = outcome.declineCode ?? before.declineCode;
  const attemptCount = before.attemptCount + (order.nextProvider === undefined ? 0 : 1);
  const { choice } = order;
  // The lifetime starts anew once; who changes the mind gets no more time.
  const expiresAt =
    choice === undefined || before.method !== null
      ? before.expiresAt
      : new Date(now.getTime() + choice.lifetimeS * 1000);
  return {
    ...before,
    state,
    declineCode,
    attemptCount,
    sequence: before.sequence + (changed ? 1 : 0),
    // Said once for each state: what comes after the end does not change who ended it.
    statusDescription:
      (changed ? null : before.statusDescription) ?? describeState(state, declineCode, kindOf(before), order.actor),
    amount: outcome.amount,
    receivedAmount: outcome.receivedAmount,
    fee: choice === undefined ? outcome.fee : splitPayin(before.amount, choice.rates).fee,
    method: choice?.method ?? before.method,
    feeBp: choice?.rates.basisPoints ?? before.feeBp,
    feeFixed: choice?.rates.fixed ?? before.feeFixed,
    expiresAt,
    confirmedAt: outcome.confirmed ? (before.confirmedAt ?? now) : null,
    releasedAt: outcome.reversed ? (before.releasedAt ?? now) : before.releasedAt,
    shortfallAt: outcome.short ? (before.shortfallAt ?? now) : null,
    unprovenEnd: unprovenEndAfter(before, outcome.event, settledThrough(order)),
    contradictedAt: outcome.event === "contradicted" ? (before.contradictedAt ?? now) : before.contradictedAt,
    provider: order.nextProvider ?? before.provider,
    reference: order.nextProvider === undefined ? before.reference : orderReference(before, attemptCount),
    requisites: order.requisites?.sealed ?? before.requisites,
    deadlineAt: choice === undefined ? deadlineAfter(before, order, outcome) : expiresAt,
    tries: changed || order.nextProvider !== undefined ? 0 : before.tries,
    unknownSince: null,
    updatedAt: now,
    finishedAt: state === "success" || state === "decline" ? (before.finishedAt ?? now) : null,
  };
}

/** A payout that is sent anew has its time anew. What waits for room in the merchant's balance waits as long as it takes. */
function deadlineAfter(before: LockedPayment, order: PaymentOrder, outcome: Outcome): Date | null {
  if (WITHOUT_DEADLINE.has(outcome.event)) return null;
  const starts = outcome.changed || order.nextProvider !== undefined;
  if (!starts) return before.deadlineAt;
  const provider = order.nextProvider ?? before.provider;
  return deadlineOf({ kind: kindOf(before), expiresAt: before.expiresAt, provider }, outcome.state, before.now);
}

const WITHOUT_DEADLINE: ReadonlySet<string> = new Set(["received_no_room", "approved_no_room"]);

type Step = { readonly before: LockedPayment; readonly after: LockedPayment; readonly outcome: Outcome };

function gather(writes: PaymentWrites, order: PaymentOrder, { before, after, outcome }: Step): void {
  const { projectId, requestId, now } = after;
  const dueAt = dueAfterChange(
    { ...after, mustTell: dutyOf(after) !== undefined, waitsForRoom: waitsForRoom(after) },
    now,
  );
  const hinted = order.byWorker === undefined && dueAt !== null && dueAt <= now;
  const earlier = writes.changes.get(keyOf(order));
  writes.changes.set(keyOf(order), {
    ...after,
    dueAt,
    hinted: hinted || (earlier?.hinted ?? false),
    confirmed: after.confirmedAt !== null,
    short: after.shortfallAt !== null,
    contradicted: after.contradictedAt !== null,
    released: after.releasedAt !== null,
    requisites: order.requisites?.sealed ?? earlier?.requisites ?? null,
    requisitesHash: order.requisites?.hash ?? earlier?.requisitesHash ?? null,
  });
  if (hinted) writes.wakeWorkers = true;
  if (after.product === "widget") writes.pages.add(requestId);
  if (order.choice !== undefined) gatherChoice(writes, order.choice, after);
  const { challenge, attemptEnd } = order;
  if (challenge !== undefined) writes.challenges.set(keyOf(order), { projectId, requestId, challenge });
  const { reference: endedReference } = before;
  if (attemptEnd !== undefined && endedReference !== null && !writes.attemptEnds.has(endedReference)) {
    writes.attemptEnds.set(endedReference, { projectId, requestId, reference: endedReference, ...attemptEnd });
  }
  if (after.attemptCount !== before.attemptCount) {
    const { provider, reference } = after;
    if (provider !== null && reference !== null)
      writes.attempts.push({ projectId, requestId, number: after.attemptCount, provider, reference });
  }
  if (outcome.closeHold !== undefined) writes.holdEnds.push({ projectId, requestId, state: outcome.closeHold });
  if (outcome.changed && after.state === "decline" && after.countedOn !== null) writes.uncounted.push(after);
  const callback = outcome.changed ? callbackOf(after, before) : undefined;
  if (callback !== undefined) writes.callbacks.push(callback);
  writes.transfers.push(...transfersOf(after, outcome.movements));
}

function gatherChoice(writes: PaymentWrites, choice: PayerChoice, after: LockedPayment): void {
  const { projectId, requestId, feeBp, feeFixed, expiresAt } = after;
  if (feeBp === null || feeFixed === null || expiresAt === null) throw new Error("a choice has rates and an end");
  const bank = choice.bank ?? null;
  writes.choices.set(keyOf(after), { projectId, requestId, method: choice.method, feeBp, feeFixed, expiresAt, bank });
  if (choice.card !== undefined) writes.cards.push(choice.card);
}

function receiptOf(order: PaymentOrder): Receipt[] {
  const { projectId, requestId, receivedFrom } = order;
  return receivedFrom === undefined ? [] : [{ projectId, requestId, ...receivedFrom }];
}

function keyOf({ projectId, requestId }: PaymentKey): string {
  return `${projectId} ${requestId}`;
}

function nameOf({ projectId, provider, transferReference }: ReceiptName): string {
  return JSON.stringify([projectId, provider, transferReference]);
}
