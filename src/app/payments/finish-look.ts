import { dutyOf } from "../../core/payments/provider-duties.ts";
import { nextLookAt } from "../../core/payments/schedule.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FinishedLook } from "../../store/payments/claims.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Look } from "./look.ts";
import { lookedAt } from "./queue-after.ts";

/** Nothing was asked, or nothing is known of it: it is as it was, and due again then. */
export function untouchedLook(
  payment: StoredPayment,
  leaseUntil: Date | null,
  clock: Clock,
  afterS: number,
): FinishedLook {
  const { projectId, requestId, sequence, tries, unknownSince } = payment;
  const dueAt = new Date(clock.nowMs() + afterS * 1_000);
  const nothingTold = { confirmTold: false, released: false, unknown: unknownSince !== null };
  return { projectId, requestId, leaseUntil, sequence, tries, dueAt, ...nothingTold };
}

/** What the look came to, and when the payment is due again. */
export function finishedLook(look: Look, leaseUntil: Date | null, now: Date): FinishedLook {
  const { payment, confirmTold, released, unknown, pending, uncertain } = look;
  const { projectId, requestId, sequence, tries } = payment;
  const told = {
    ...payment,
    confirmTold: payment.confirmTold || confirmTold === true,
    releasedAt: released ? now : payment.releasedAt,
  };
  const dueAt = nextLookAt(
    {
      ...lookedAt(payment),
      mustTell: dutyOf(told) !== undefined,
      unanswered: unknown === true,
      payerWaits: pending === true,
      uncertain: uncertain === true,
    },
    now,
  );
  return {
    projectId,
    requestId,
    leaseUntil,
    sequence,
    dueAt,
    tries: tries + 1,
    confirmTold: confirmTold === true,
    released: released === true,
    unknown: unknown === true,
  };
}

/** What is left to write of a look; undefined: what happened last has ended it, or a late look went as its claim planned. */
export function leftOfLook(
  claimed: StoredPayment,
  look: Look,
  leaseUntil: Date | null,
  now: Date,
): FinishedLook | undefined {
  if (look.ended !== undefined) return undefined;
  const finished = finishedLook(look, leaseUntil, now);
  return isAsPlanned(claimed, look, finished) ? undefined : finished;
}

/** That the last look was answered is always written. */
function isAsPlanned(claimed: StoredPayment, look: Look, finished: FinishedLook): boolean {
  const { leaseUntil, dueAt, sequence, released, unknown } = finished;
  const isQuiet = !released && !unknown && look.uncertain !== true;
  return leaseUntil === null && dueAt !== null && sequence === claimed.sequence && isQuiet;
}
