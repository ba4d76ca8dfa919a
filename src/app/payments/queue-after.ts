import { dutyOf, waitsForRoom } from "../../core/payments/provider-duties.ts";
import { dueAfterChange, type LookedAt, nextLookAt } from "../../core/payments/schedule.ts";
import { LEASE_S } from "../../core/payments/timers.ts";
import type { LockedPayment, QueuePlace, StoredPayment } from "../../store/payments/payments.ts";
import type { PaymentEvent } from "./payment-event.ts";

export type QueueStep = QueuePlace & {
  readonly tries: number;
  /** A worker that does not know of the change must look at it now. */
  readonly mustWake: boolean;
  readonly tookLease: boolean;
};

/** Where a payment is in the workers' queue once an event was decided. `before` is as it was read under its lock. */
export function queueAfter(
  before: LockedPayment,
  after: Omit<LockedPayment, keyof QueuePlace>,
  event: PaymentEvent,
): QueueStep {
  const { now } = before;
  const facts = lookedAt(after);
  if (endsLook(before, event)) {
    const { hinted } = before;
    const dueAt = hinted ? now : nextLookAt(facts, now);
    return { dueAt, leaseUntil: null, hinted, tries: after.tries + 1, mustWake: false, tookLease: false };
  }
  const dueAt = dueAfterChange(facts, now);
  const isNews = event.byWorker === undefined && dueAt !== null && dueAt <= now;
  const { tries } = after;
  if (isNews && event.takesLease === true && !isLeased(before)) {
    return { dueAt, leaseUntil: handedLease(now), hinted: false, tries, mustWake: false, tookLease: true };
  }
  const hinted = before.hinted || isNews;
  const { leaseUntil } = before;
  // A hint is not forgotten: the payment is due at once.
  return { dueAt: hinted ? now : dueAt, leaseUntil, hinted, tries, mustWake: isNews, tookLease: false };
}

export function isLeased({ leaseUntil, now }: Pick<LockedPayment, "leaseUntil" | "now">): boolean {
  return leaseUntil !== null && leaseUntil > now;
}

/** The end of the lease that a process takes at this moment of the database's. */
export function handedLease(now: Date): Date {
  return new Date(now.getTime() + LEASE_S * 1000);
}

/** A lease that another worker has taken over is not this look's to give back. */
function endsLook({ leaseUntil }: LockedPayment, { endsLook }: PaymentEvent): boolean {
  return endsLook !== undefined && leaseUntil?.getTime() === endsLook.leaseUntil.getTime();
}

/** What its next look depends on, as long as the provider answers clearly. */
export function lookedAt(payment: StoredPayment): LookedAt {
  return {
    direction: payment.direction,
    method: payment.method,
    state: payment.state,
    tries: payment.tries,
    finishedAt: payment.finishedAt,
    unprovenEnd: payment.unprovenEnd,
    deadlineAt: payment.deadlineAt,
    mustTell: dutyOf(payment) !== undefined,
    waitsForRoom: waitsForRoom(payment),
    unanswered: false,
    payerWaits: false,
    uncertain: false,
  };
}
