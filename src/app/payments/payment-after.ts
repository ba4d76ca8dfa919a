import { unprovenEndAfter } from "../../core/payments/after-end.ts";
import { deadlineOf } from "../../core/payments/deadlines.ts";
import { describeState } from "../../core/payments/descriptions.ts";
import { splitPayin } from "../../core/payments/fees.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import type { LockedPayment } from "../../store/payments/payments.ts";
import { attemptReference } from "./attempt-reference.ts";
import { type Outcome, settledThrough } from "./decide-event.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { queueAfter } from "./queue-after.ts";

export type AppliedPayment = LockedPayment & {
  /** By the order itself: the process that applied it is the one to work on the payment now. */
  readonly tookLease: boolean;
  /** The state that the event brought it to; undefined: it stays in the one that it was in. */
  readonly reached?: PaymentState | undefined;
};

/** A payment as it is once an order was decided, and whether workers must be told. */
export function paymentAfter(
  before: LockedPayment,
  event: PaymentEvent,
  outcome: Outcome,
): { readonly after: AppliedPayment; readonly mustWake: boolean } {
  const changed = changedPayment(before, event, outcome);
  const { mustWake, dueAt, leaseUntil, hinted, tries, tookLease } = queueAfter(before, changed, event);
  const reached = outcome.changed ? changed.state : undefined;
  return { after: { ...changed, dueAt, leaseUntil, hinted, tries, tookLease, reached }, mustWake };
}

/** Every column that follows from what happened, in one place; its place in the queue follows from these. */
function changedPayment(before: LockedPayment, event: PaymentEvent, outcome: Outcome): LockedPayment {
  const { now } = before;
  const { state, changed } = outcome;
  if (outcome.endsChoice) return undecidedPayment(before, outcome);
  const declineCode = outcome.declineCode ?? before.declineCode;
  const attemptCount = before.attemptCount + (event.nextProvider === undefined ? 0 : 1);
  const { choice } = event;
  // The lifetime restarts once; a payer who chooses again gets no more time.
  const expiresAt =
    choice === undefined || before.choiceCount !== null
      ? before.expiresAt
      : new Date(now.getTime() + choice.lifetimeS * 1000);
  return {
    ...before,
    state,
    declineCode,
    attemptCount,
    choiceCount: choice === undefined ? before.choiceCount : (before.choiceCount ?? 0) + 1,
    sequence: before.sequence + (changed ? 1 : 0),
    // Said once for each state: what comes after the end does not change who ended it.
    statusDescription:
      (changed ? null : before.statusDescription) ?? describeState(state, declineCode, kindOf(before), event.actor),
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
    unprovenEnd: unprovenEndAfter(before, outcome.event, settledThrough(event)),
    contradictedAt: outcome.event === "contradicted" ? (before.contradictedAt ?? now) : before.contradictedAt,
    provider: event.nextProvider ?? before.provider,
    reference: event.nextProvider === undefined ? before.reference : attemptReference(before, attemptCount),
    requisites: event.requisites ?? before.requisites,
    deadlineAt: choice === undefined ? deadlineAfter(before, event, outcome) : expiresAt,
    tries: changed || event.nextProvider !== undefined ? 0 : before.tries,
    unknownSince: null,
    updatedAt: now,
    finishedAt: isFinal(state) ? (before.finishedAt ?? now) : null,
  };
}

/**
 * The payer chooses again: no provider has the payment, and the lifetime goes on. What its provider must still be told, and what may
 * still come from it, is now the affair of the choice that has ended.
 */
function undecidedPayment(before: LockedPayment, { state, changed }: Outcome): LockedPayment {
  return {
    ...before,
    state,
    sequence: before.sequence + (changed ? 1 : 0),
    statusDescription: null,
    fee: null,
    method: null,
    feeBp: null,
    feeFixed: null,
    confirmedAt: null,
    releasedAt: null,
    provider: null,
    reference: null,
    requisites: null,
    deadlineAt: before.expiresAt,
    tries: 0,
    unknownSince: null,
    updatedAt: before.now,
  };
}

/** A payout that is sent again gets its full time again. What waits for room in the merchant's balance waits as long as it takes. */
function deadlineAfter(before: LockedPayment, event: PaymentEvent, outcome: Outcome): Date | null {
  if (WITHOUT_DEADLINE.has(outcome.event)) return null;
  const starts = outcome.changed || event.nextProvider !== undefined;
  if (!starts) return before.deadlineAt;
  const provider = event.nextProvider ?? before.provider;
  return deadlineOf({ kind: kindOf(before), expiresAt: before.expiresAt, provider }, outcome.state, before.now);
}

const WITHOUT_DEADLINE: ReadonlySet<string> = new Set(["received_no_room", "approved_no_room"]);
