import type { P2pPayinState } from "./states.ts";

/** What can happen to a P2P pay-in. */
export type P2pPayinEvent =
  /** On the hosted page the payer chose a P2P method. */
  | "chosen"
  /** On the hosted page the payer chose to pay by card: from here on the payment runs on the machine of cards. */
  | "card_chosen"
  /** The worker took it up: a provider is to be asked. */
  | "submitted"
  | "requisites_issued"
  /** They came after the lifetime had ended. */
  | "requisites_late"
  /** None on this route, and there is another one to ask. */
  | "route_refused"
  /** None on any route. */
  | "no_requisites"
  | "confirmed"
  | "cancelled"
  /** The lifetime is over. */
  | "expired"
  /** The grace period after the lifetime is over. */
  | "grace_over"
  /** Confirmed long ago, and no money was seen. */
  | "confirm_timed_out"
  /** Money arrived, and all of it together is the requested sum. */
  | "received_exact"
  /** Money arrived, and all of it together is another sum. */
  | "received_other"
  /** All of it arrived, and the merchant's balance has no room for it: it waits in suspense. */
  | "received_no_room"
  /** There is room now for what waited. */
  | "room_found"
  | "provider_declined"
  /** On the hosted page the payer leaves the requisites, to pay another way: see `second-chance.ts`. */
  | "left"
  | "operator_settled"
  | "operator_declined"
  /** Its provider took money back that was counted, or says otherwise than an operator. */
  | "contradicted";

export const P2P_PAYIN_EVENTS = [
  "chosen",
  "card_chosen",
  "submitted",
  "requisites_issued",
  "requisites_late",
  "route_refused",
  "no_requisites",
  "confirmed",
  "cancelled",
  "expired",
  "grace_over",
  "confirm_timed_out",
  "received_exact",
  "received_other",
  "received_no_room",
  "room_found",
  "provider_declined",
  "left",
  "operator_settled",
  "operator_declined",
  "contradicted",
] as const satisfies readonly P2pPayinEvent[];

/**
 * The whole machine. An event that leads to the state it began in is accepted and changes nothing but what the event
 * itself brings: a repeated call, or further money. A cell that is not here is refused, and written to the history.
 */
export const P2P_PAYIN_TRANSITIONS = {
  "processing:new": {
    chosen: "processing:requisites",
    card_chosen: "processing:new",
    submitted: "processing:requisites",
    cancelled: "decline",
    expired: "decline",
  },
  "processing:requisites": {
    // What the payer chose is here already when the worker takes it up.
    submitted: "processing:requisites",
    requisites_issued: "processing:awaiting_confirm",
    requisites_late: "decline",
    route_refused: "processing:requisites",
    no_requisites: "decline",
    cancelled: "decline",
    expired: "decline",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
  },
  "processing:awaiting_confirm": {
    confirmed: "processing:paid",
    cancelled: "decline",
    expired: "dispute:no_payment",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
    provider_declined: "decline",
  },
  "processing:paid": {
    confirmed: "processing:paid",
    confirm_timed_out: "dispute:confirm_timeout",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
    room_found: "success",
    provider_declined: "dispute:confirm_timeout",
    operator_settled: "success",
    operator_declined: "decline",
    contradicted: "processing:paid",
  },
  "dispute:no_payment": {
    confirmed: "processing:paid",
    grace_over: "decline",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
    provider_declined: "decline",
  },
  "dispute:confirm_timeout": {
    confirmed: "dispute:confirm_timeout",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
    operator_settled: "success",
    operator_declined: "decline",
  },
  "dispute:different_amount": {
    confirmed: "dispute:different_amount",
    received_exact: "success",
    received_other: "dispute:different_amount",
    received_no_room: "processing:paid",
    operator_settled: "success",
    operator_declined: "decline",
    contradicted: "dispute:different_amount",
  },
  success: {
    confirmed: "success",
    received_exact: "success",
    received_other: "success",
    contradicted: "success",
  },
  decline: {
    cancelled: "decline",
    received_exact: "decline",
    received_other: "decline",
    contradicted: "decline",
  },
} as const satisfies Record<P2pPayinState, Partial<Record<P2pPayinEvent, P2pPayinState>>>;

/**
 * Where an event leads, or undefined where it may not happen. One cell depends on the past: a confirm of a declined
 * payment repeats an earlier one if there was one, and is otherwise refused.
 */
export function nextPayinState(
  state: P2pPayinState,
  event: P2pPayinEvent,
  past: { readonly confirmed: boolean },
): P2pPayinState | undefined {
  if (state === "decline" && event === "confirmed") return past.confirmed ? "decline" : undefined;
  const row: Partial<Record<P2pPayinEvent, P2pPayinState>> = P2P_PAYIN_TRANSITIONS[state];
  return row[event];
}
