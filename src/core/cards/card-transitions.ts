import type { CardPayinState } from "../payments/states.ts";

/** What can happen to a pay-in by card. */
export type CardPayinEvent =
  /** The provider and the reference are committed, and the card is about to be sent. */
  | "sent"
  /** The issuer wants to see the payer. */
  | "challenged"
  /** The payer goes on at a page of the provider. */
  | "redirected"
  /** The payer came back with a result that is the issuer's, and the provider is finishing. */
  | "result_passed"
  /** Charged, for the requested sum. */
  | "approved_exact"
  /** Charged, for another sum. */
  | "approved_other"
  /** Charged, and the merchant's balance has no room for it: it waits in suspense. */
  | "approved_no_room"
  | "room_found"
  | "declined"
  /** The provider never saw it: certainly not charged. */
  | "never_seen"
  /** The lifetime is over, and no question is open. */
  | "expired"
  /** The result was unknown for a day. */
  | "timed_out"
  /** The provider gave the payer the money back. */
  | "reversed"
  | "operator_settled"
  | "operator_declined"
  /** Its provider says otherwise than was counted: it gave the charge back, never made one, or charged another sum. */
  | "contradicted";

export const CARD_PAYIN_EVENTS = [
  "sent",
  "challenged",
  "redirected",
  "result_passed",
  "approved_exact",
  "approved_other",
  "approved_no_room",
  "room_found",
  "declined",
  "never_seen",
  "expired",
  "timed_out",
  "reversed",
  "operator_settled",
  "operator_declined",
  "contradicted",
] as const satisfies readonly CardPayinEvent[];

/** Before the end, whatever the provider says for certain counts. */
const ANSWERED = {
  approved_exact: "success",
  approved_other: "dispute:different_amount",
  approved_no_room: "processing:paid",
  declined: "decline",
  never_seen: "decline",
  timed_out: "dispute:confirm_timeout",
} as const;

/** The whole machine. An event that leads to the state it began in is accepted and changes nothing of the state. */
export const CARD_PAYIN_TRANSITIONS = {
  "processing:new": {
    ...ANSWERED,
    sent: "processing:new",
    challenged: "processing:awaiting_3ds_result",
    redirected: "processing:awaiting_redirect_result",
    expired: "decline",
  },
  "processing:awaiting_3ds_result": { ...ANSWERED, result_passed: "processing:paid", expired: "decline" },
  "processing:awaiting_redirect_result": { ...ANSWERED, result_passed: "processing:paid", expired: "decline" },
  "processing:paid": { ...ANSWERED, room_found: "success" },
  "dispute:confirm_timeout": {
    approved_exact: "success",
    approved_other: "dispute:different_amount",
    approved_no_room: "processing:paid",
    declined: "decline",
    never_seen: "decline",
    operator_settled: "success",
    operator_declined: "decline",
  },
  "dispute:different_amount": {
    operator_settled: "success",
    operator_declined: "decline",
    contradicted: "dispute:different_amount",
  },
  success: { contradicted: "success" },
  // Charged after all: it stands in suspense until the provider has given it back.
  decline: { approved_exact: "decline", approved_other: "decline", reversed: "decline" },
} as const satisfies Record<CardPayinState, Partial<Record<CardPayinEvent, CardPayinState>>>;

export function nextCardState(state: CardPayinState, event: CardPayinEvent): CardPayinState | undefined {
  const row: Partial<Record<CardPayinEvent, CardPayinState>> = CARD_PAYIN_TRANSITIONS[state];
  return row[event];
}
