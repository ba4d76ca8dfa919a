import { secondsBetween, showDistance, showDuration } from "../../cli/kit/durations.ts";
import type { ByHandPart } from "../../cli/payments/payment-trail-view.ts";
import { instantJson } from "../../cli/payments/payment-view.ts";
import type { ShownPayment } from "../../store/payments/read-payments.ts";
import { type ByHand, findByHand } from "../app/find-by-hand.ts";
import { isWaiting } from "../core/hand-payout.ts";

/** What is known of a payout that a person was to make. */

const ENDS = {
  approved: "paid",
  declined: "certainly not paid",
  may_have_left: "may have been paid",
  receiver_wrong: "the receiver's details are wrong",
} as const;

function pairsOf(payment: ShownPayment, byHand: ByHand): (readonly [name: string, value: string])[] {
  const { now } = payment;
  const pairs: (readonly [string, string] | undefined)[] = [
    ["purpose code", byHand.code],
    isWaiting(byHand, payment)
      ? [
          "waits for",
          `a person to pay it, for ${showDuration(secondsBetween(byHand.createdAt, now))}: payout complete, or payout fail`,
        ]
      : undefined,
    byHand.exportedAt === null
      ? undefined
      : [
          "handed out",
          `${showDistance(byHand.exportedAt, now)} to ${byHand.exportedBy} for account ${byHand.accountCode}, export ${byHand.exportId}`,
        ],
    byHand.outcome === null || byHand.endedAt === null
      ? undefined
      : [
          "by hand",
          `${ENDS[byHand.outcome]}, said ${byHand.endedBy} ${showDistance(byHand.endedAt, now)}${byHand.reason === null ? "" : `: ${byHand.reason}`}`,
        ],
  ];
  return pairs.filter((pair) => pair !== undefined);
}

function jsonOf(payment: ShownPayment, byHand: ByHand) {
  return {
    code: byHand.code,
    waiting: isWaiting(byHand, payment),
    since: byHand.createdAt.toISOString(),
    account: byHand.accountCode,
    exported_at: instantJson(byHand.exportedAt),
    exported_by: byHand.exportedBy,
    export_id: byHand.exportId,
    outcome: byHand.outcome,
    reason: byHand.reason,
    ended_at: instantJson(byHand.endedAt),
    ended_by: byHand.endedBy,
  };
}

/** The part of `payment show` that only the pool knows. */
export const BY_HAND_PART: ByHandPart<ByHand> = { find: findByHand, pairs: pairsOf, json: jsonOf };
