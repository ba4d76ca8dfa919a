import type { PayoutState } from "./states.ts";

/** What can happen to a payout. */
export type PayoutEvent =
  /** The worker took it: its reference and route are committed, and it is about to be sent. */
  | "claimed"
  | "approved"
  /** Certainly not sent, and there is another route to try. */
  | "declined_on_route"
  /** Certainly not sent, and no route is left. */
  | "declined"
  /** Accepted, then failed: the money may have left. */
  | "may_have_left"
  /** Accepted, then the receiver's details turned out to be wrong. */
  | "receiver_wrong"
  | "timed_out"
  | "operator_cancelled"
  | "operator_settled"
  | "operator_declined"
  /** Its provider says otherwise than it ended. */
  | "contradicted";

export const PAYOUT_EVENTS = [
  "claimed",
  "approved",
  "declined_on_route",
  "declined",
  "may_have_left",
  "receiver_wrong",
  "timed_out",
  "operator_cancelled",
  "operator_settled",
  "operator_declined",
  "contradicted",
] as const satisfies readonly PayoutEvent[];

/** In a dispute only a certain answer or an operator moves it; the money stays locked until then. */
const DISPUTE = {
  approved: "success",
  declined: "decline",
  operator_settled: "success",
  operator_declined: "decline",
} as const;

/** The whole machine. An event that leads to the state it began in is accepted and changes nothing of the state. */
export const PAYOUT_TRANSITIONS = {
  "processing:new": {
    claimed: "processing:payout_process",
    operator_cancelled: "decline",
  },
  "processing:payout_process": {
    approved: "success",
    declined_on_route: "processing:payout_process",
    declined: "decline",
    may_have_left: "dispute:payout_failed",
    receiver_wrong: "dispute:incorrect_requisites",
    timed_out: "dispute:payout_timeout",
  },
  "dispute:payout_failed": DISPUTE,
  "dispute:payout_timeout": DISPUTE,
  "dispute:incorrect_requisites": DISPUTE,
  // An operator settled it as paid another way, and its provider paid it too: that stands against `shortfall`.
  success: { approved: "success", contradicted: "success" },
  // The money left after all: it stands against `shortfall`, and an operator is told. The payment stays declined.
  decline: { approved: "decline" },
} as const satisfies Record<PayoutState, Partial<Record<PayoutEvent, PayoutState>>>;

export function nextPayoutState(state: PayoutState, event: PayoutEvent): PayoutState | undefined {
  const row: Partial<Record<PayoutEvent, PayoutState>> = PAYOUT_TRANSITIONS[state];
  return row[event];
}
