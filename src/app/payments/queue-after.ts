import { dutyOf, waitsForRoom } from "../../core/payments/provider-duties.ts";
import { dueAfterChange, nextLookAt } from "../../core/payments/schedule.ts";
import type { LockedPayment, QueuePlace } from "../../store/payments/payments.ts";
import type { PaymentOrder } from "./payment-order.ts";

export type QueueStep = QueuePlace & {
  readonly tries: number;
  /** A worker that does not know of the change must look at it now. */
  readonly mustWake: boolean;
};

/** Where a payment is in the workers' queue once an order was decided. `before` is as it was read under its lock. */
export function queueAfter(
  before: LockedPayment,
  after: Omit<LockedPayment, keyof QueuePlace>,
  order: PaymentOrder,
): QueueStep {
  const { now } = before;
  const facts = { ...lookedAt(after), mustTell: dutyOf(after) !== undefined, waitsForRoom: waitsForRoom(after) };
  if (endsLook(before, order)) {
    const { hinted } = before;
    const dueAt = hinted ? now : nextLookAt({ ...facts, unanswered: false, uncertain: false }, now);
    return { dueAt, leaseUntil: null, hinted, tries: after.tries + 1, mustWake: false };
  }
  const dueAt = dueAfterChange(facts, now);
  const isNews = order.byWorker === undefined && dueAt !== null && dueAt <= now;
  const hinted = before.hinted || isNews;
  // A hint is not forgotten: the payment is due at once.
  return { dueAt: hinted ? now : dueAt, leaseUntil: before.leaseUntil, hinted, tries: after.tries, mustWake: isNews };
}

/** A lease that another worker has taken over is not this look's to give back. */
function endsLook({ leaseUntil }: LockedPayment, { endsLook }: PaymentOrder): boolean {
  return endsLook !== undefined && leaseUntil?.getTime() === endsLook.leaseUntil.getTime();
}

function lookedAt({
  direction,
  method,
  state,
  tries,
  finishedAt,
  unprovenEnd,
  deadlineAt,
}: Omit<LockedPayment, keyof QueuePlace>) {
  return { direction, method, state, tries, finishedAt, unprovenEnd, deadlineAt };
}
