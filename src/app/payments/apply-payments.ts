import { ZERO } from "../../core/money.ts";
import { presentChoice } from "../../core/page/second-chance.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { dutyOf } from "../../core/payments/provider-duties.ts";
import { dueAfterChange } from "../../core/payments/schedule.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { allSent, type Database, type Transaction } from "../../store/db.ts";
import { isDataFault } from "../../store/faults.ts";
import { type PostingFault, postingTransaction } from "../../store/ledger/ledger.ts";
import type { ChoiceEnd } from "../../store/page/page-choices.ts";
import { type LockedPayment, lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { listKnownReceipts, type Receipt, type ReceiptName } from "../../store/payments/receipts.ts";
import { type CallbackOutbox, openParcel, type WriteCallbacks } from "../callbacks/callback-outbox.ts";
import { endedPayment } from "../page/ended-payment.ts";
import { openGroupCommit } from "../processes/group-commit.ts";
import { decideEvent, kindOfHappening, nameOfHappening, type Outcome } from "./decide-event.ts";
import { type AppliedPayment, paymentAfter } from "./payment-after.ts";
import type { PayerChoice, PaymentEvent } from "./payment-event.ts";
import {
  callbackOf,
  gatherFee,
  noWrites,
  type PaymentWrites,
  ReceiptTaken,
  transfersOf,
  writeAll,
} from "./payment-writes.ts";

export type ApplyFault = PostingFault | "payment_unknown" | "refused" | "receipt_taken";

/** Answers the payment as it is by then. */
export type ApplyPayment = (event: PaymentEvent) => Promise<Result<AppliedPayment, ApplyFault>>;

const BATCH_MAX = 500;
const WRITERS_MAX = 2;
/** While there is a crowd. A merchant or a payer waits for the answer; a worker has other payments to go on with. */
const LINGER_MS = { caller: 4, worker: 20 } as const;
const PATIENT: ReadonlySet<string> = new Set(["worker", "provider"]);

/**
 * The one way in which a payment changes: its state, history, attempts, callback, next due time and transfers are written
 * in one commit. Happenings that arrive together are committed together, with one statement a table and one update a
 * balance; where one of them cannot be written, each is tried by itself.
 */
export function openApplyPayments(db: Database, outbox?: CallbackOutbox): ApplyPayment {
  const commit = openGroupCommit({
    itemsMax: BATCH_MAX,
    writersMax: WRITERS_MAX,
    isFaultOfOneItem: (error) =>
      isDataFault(error) || error instanceof ReceiptTaken || error instanceof BatchUnpostable,
    ownerOf: ({ projectId }: PaymentEvent) => projectId,
    lingerMsOf: ({ actor }) => (PATIENT.has(actor) ? LINGER_MS.worker : LINGER_MS.caller),
    write: (events, lockWaitMs) => applyAll({ db, outbox }, events, lockWaitMs),
  });
  return async (event) => {
    const applied = await commit(event);
    if (applied.ok || applied.error !== "balance_limit") return applied;
    // All of it arrived and does not fit: it waits in suspense, where nothing is lost.
    if ("payin" in event && event.payin.kind === "received")
      return commit({ ...event, payin: { ...event.payin, noRoom: true } });
    if ("card" in event && event.card.kind === "approved")
      return commit({ ...event, card: { ...event.card, noRoom: true } });
    return applied;
  };
}

/** Several events, of which at least one meets a balance's bounds: it is unknown which. */
class BatchUnpostable extends Error {}

async function applyAll(
  { db, outbox }: { readonly db: Database; readonly outbox: CallbackOutbox | undefined },
  events: readonly PaymentEvent[],
  lockWaitMs: number,
): Promise<Result<AppliedPayment, ApplyFault>[]> {
  const parcel = openParcel(outbox);
  try {
    const posted = await postingTransaction(db, (tx) => applyInTransaction(tx, events, parcel.write), lockWaitMs);
    // Only now is it certain that what the callbacks report is committed.
    if (posted.ok) parcel.send();
    if (posted.ok) return posted.value;
    if (events.length > 1) throw new BatchUnpostable();
    return [fail(posted.error)];
  } finally {
    parcel.close();
  }
}

/**
 * The same inside a transaction of the caller's, who must roll it back where an answer that is not ok may not stand: what
 * was refused is written to the history. A posting fault and a ReceiptTaken are thrown, as by any statement.
 */
export async function applyInTransaction(
  tx: Transaction,
  events: readonly PaymentEvent[],
  writeCallbacks?: WriteCallbacks,
): Promise<Result<AppliedPayment, ApplyFault>[]> {
  const keys = new Map(
    events.map(({ projectId, requestId }) => [keyOfPayment({ projectId, requestId }), { projectId, requestId }]),
  );
  // Sent together: what is known is read when the rows are locked.
  const [locked, known] = [lockPayments(tx, [...keys.values()]), readKnownReceipts(tx, events)];
  await allSent([locked, known]);
  return applyAndWrite(tx, events, { payments: lockedByKey(await locked), known: await known }, writeCallbacks);
}

/** Payments that the caller has locked, by what they are known by; `applyToLocked` keeps them as they are by then. */
export type LockedByKey = Map<string, LockedPayment>;

export function lockedByKey(rows: readonly LockedPayment[]): LockedByKey {
  return new Map(rows.map((row) => [keyOfPayment(row), row]));
}

/** The same for payments that are locked already: reading them again would cost as much as writing them. */
export async function applyToLocked(
  tx: Transaction,
  events: readonly PaymentEvent[],
  payments: LockedByKey,
  writeCallbacks?: WriteCallbacks,
): Promise<Result<AppliedPayment, ApplyFault>[]> {
  return applyAndWrite(tx, events, { payments, known: await readKnownReceipts(tx, events) }, writeCallbacks);
}

async function readKnownReceipts(tx: Transaction, events: readonly PaymentEvent[]): Promise<Set<string>> {
  const receipts = events.flatMap(receiptOf);
  return new Set(receipts.length === 0 ? [] : (await listKnownReceipts(tx, receipts)).map(nameOf));
}

async function applyAndWrite(
  tx: Transaction,
  events: readonly PaymentEvent[],
  { payments, known }: Pick<Batch, "payments" | "known">,
  writeCallbacks: WriteCallbacks | undefined,
): Promise<Result<AppliedPayment, ApplyFault>[]> {
  const writes = noWrites();
  const results = events.map((event) => applyOne({ payments, known, writes }, event));
  await writeAll(tx, writes, writeCallbacks);
  return results;
}

/** A provider's word that money came, which it may say again and again. */
function isMoney(event: PaymentEvent): boolean {
  if ("payin" in event) return event.payin.kind === "received";
  return "card" in event && event.card.kind === "approved";
}

/** It follows from a total that the provider may have said before the last money was counted. */
export function isOlderThanMoney(
  { receivedAmount }: Pick<LockedPayment, "receivedAmount">,
  event: PaymentEvent,
): boolean {
  return event.ofReceived !== undefined && event.ofReceived !== receivedAmount;
}

type Batch = {
  /** As they are after the events so far. */
  readonly payments: Map<string, LockedPayment>;
  readonly known: Set<string>;
  readonly writes: PaymentWrites;
};

function applyOne(batch: Batch, event: PaymentEvent): Result<AppliedPayment, ApplyFault> {
  const { payments, known, writes } = batch;
  if (event.submits === true && payments.get(keyOfPayment(event))?.state === "processing:new") {
    const submitted = applyOne(batch, submissionOf(event));
    if (!submitted.ok) return submitted;
  }
  const before = payments.get(keyOfPayment(event));
  if (before === undefined) return fail("payment_unknown");
  if (event.ofChoice !== undefined && event.ofChoice !== presentChoice(before)) {
    if (isMoney(event)) writes.hintedChoices.push({ ...nameOfPayment(before), number: event.ofChoice });
    return refuse(writes, before, event, nameOfHappening(event));
  }
  if (kindOf(before) !== kindOfHappening(event)) return fail("payment_unknown");
  const [receipt] = receiptOf(event);
  if (receipt !== undefined && known.has(nameOf(receipt))) {
    // A provider reports the same receipt repeatedly; an operator's reference names one receipt permanently.
    return isMoney(event) ? ok(unchanged(before)) : fail("receipt_taken");
  }
  if (isOlderThanMoney(before, event) || isHeldBack(before, event)) return ok(unchanged(before));
  const isOutdated = event.ofAttempt !== undefined && event.ofAttempt !== before.attemptCount;
  const outcome = isOutdated ? undefined : decideEvent(before, event);
  if (outcome === undefined) return refuse(writes, before, event, nameOfHappening(event));
  const { projectId, requestId, state: fromState } = before;
  const line = { projectId, requestId, fromState, event: outcome.event, actor: event.actor };
  const { after, mustWake } = paymentAfter(before, event, outcome);
  payments.set(keyOfPayment(event), after);
  if (mustWake) writes.wakeWorkers = true;
  writes.history.push({ ...line, toState: after.state, detail: event.detail ?? null });
  if (receipt !== undefined) {
    known.add(nameOf(receipt));
    writes.receipts.push(receipt);
  }
  gather(writes, event, { before, after, outcome });
  return ok(after);
}

/** It may be as an event before this one of the same batch left it. */
function unchanged(before: LockedPayment): AppliedPayment {
  return { ...before, tookLease: false, reached: undefined };
}

/** The attempt would be committed, and then sent: after a restore no payout is, whatever the process that asks knows of it. */
function isHeldBack({ mayMoneyLeave }: LockedPayment, event: PaymentEvent): boolean {
  return !mayMoneyLeave && "payout" in event && event.nextProvider !== undefined;
}

/** Nothing changes; the history says that it was tried. */
function refuse(
  writes: PaymentWrites,
  { projectId, requestId, state }: LockedPayment,
  event: PaymentEvent,
  eventName: string,
): Result<never, ApplyFault> {
  const detail = event.detail === undefined ? "refused" : `refused: ${event.detail}`;
  const line = { projectId, requestId, fromState: state, toState: state, event: eventName, actor: event.actor };
  writes.history.push({ ...line, detail });
  return fail("refused");
}

/** What comes before an event that submits. */
function submissionOf({ projectId, requestId, actor, ofAttempt, ofChoice }: PaymentEvent): PaymentEvent {
  return {
    ...{ projectId, requestId, actor, payin: { kind: "submitted" }, byWorker: true },
    ...(ofAttempt === undefined ? {} : { ofAttempt }),
    ...(ofChoice === undefined ? {} : { ofChoice }),
  };
}

type Step = { readonly before: LockedPayment; readonly after: LockedPayment; readonly outcome: Outcome };

function gather(writes: PaymentWrites, event: PaymentEvent, { before, after, outcome }: Step): void {
  const { projectId, requestId } = after;
  writes.changes.set(keyOfPayment(event), after);
  if (after.product === "widget") writes.pages.add(requestId);
  if (event.choice !== undefined) gatherChoice(writes, event.choice, after);
  if (outcome.endsChoice) writes.choiceEnds.push(choiceEndOf(before, outcome));
  const { challenge, attemptEnd } = event;
  if (challenge !== undefined)
    writes.challenges.set(keyOfPayment(event), { projectId, requestId, number: after.choiceCount ?? 1, challenge });
  const { reference: endedReference } = before;
  if (attemptEnd !== undefined && endedReference !== null && !writes.attemptEnds.has(endedReference)) {
    writes.attemptEnds.set(endedReference, { projectId, requestId, reference: endedReference, ...attemptEnd });
  }
  if (after.attemptCount !== before.attemptCount) {
    const { provider, reference } = after;
    const { routeReasons: reasons } = event;
    if (provider !== null && reference !== null)
      writes.attempts.push({ projectId, requestId, number: after.attemptCount, provider, reference, reasons });
  }
  if (outcome.closeHold !== undefined) writes.holdEnds.push({ projectId, requestId, state: outcome.closeHold });
  if (outcome.changed && after.state === "decline" && after.countedOn !== null) writes.uncounted.push(after);
  const callback = outcome.changed ? callbackOf(after, before) : undefined;
  if (callback !== undefined) writes.callbacks.push(callback);
  gatherFee(writes, event);
  writes.transfers.push(...transfersOf(after, outcome.movements));
}

function gatherChoice(writes: PaymentWrites, choice: PayerChoice, after: LockedPayment): void {
  const { projectId, requestId, feeBp, feeFixed, expiresAt, choiceCount: number } = after;
  if (feeBp === null || feeFixed === null || expiresAt === null || number === null)
    throw new Error("a choice has rates and an end");
  const { method, bank = null, card } = choice;
  const shown = { mask: card?.mask ?? null, brand: card?.brand ?? null };
  writes.choices.push({ projectId, requestId, number, method, feeBp, feeFixed, expiresAt, bank, ...shown });
  if (card !== undefined) writes.cards.push({ ...card, number });
}

/** From now on the choice is watched like a payment that was declined: the provider is told, and asked at the late looks. */
function choiceEndOf(before: LockedPayment, { declineCode }: Outcome): ChoiceEnd {
  const { provider, reference, choiceCount: number, now } = before;
  if (number === null || declineCode === undefined)
    throw new Error("a choice that ends was made, and ends for a reason");
  const ended = endedPayment(before, { receivedAmount: ZERO, releasedAt: null, endedAt: now });
  const late = { ...ended, mustTell: dutyOf(ended) !== undefined, waitsForRoom: false };
  const dueAt = reference === null ? null : dueAfterChange(late, now);
  return { ...nameOfPayment(before), number, declineCode, provider, reference, dueAt };
}

function receiptOf(event: PaymentEvent): Receipt[] {
  const { projectId, requestId, receivedFrom } = event;
  return receivedFrom === undefined ? [] : [{ projectId, requestId, ...receivedFrom }];
}

function nameOfPayment({ projectId, requestId }: PaymentKey): PaymentKey {
  return { projectId, requestId };
}

export function keyOfPayment({ projectId, requestId }: PaymentKey): string {
  return `${projectId} ${requestId}`;
}

function nameOf({ projectId, provider, receiptReference }: ReceiptName): string {
  return JSON.stringify([projectId, provider, receiptReference]);
}
