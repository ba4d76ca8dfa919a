import type { PaymentState } from "../../core/payments/states.ts";
import type { WirePayment } from "./wire.ts";

/** What a status of the protocol means for a P2P pay-in, a payout and a card charge of ours. */
type Row = {
  /** `credited`: the money is on our balance there. `received`: another sum came, and the gateway's operator must decide. */
  readonly payin?: "open" | "received" | "credited" | "declined";
  readonly payout?: "pending" | "approved" | "declined" | "may_have_left" | "receiver_wrong";
  readonly charge?: "pending" | "challenge" | "redirect" | "received" | "credited" | "declined";
};

/** The one table of the protocol's statuses. A pair that is not in it is "unknown". */
const ROWS = {
  "processing:new": { payin: "open", payout: "pending", charge: "pending" },
  "processing:requisites": { payin: "open" },
  "processing:awaiting_confirm": { payin: "open" },
  "processing:awaiting_3ds_result": { charge: "challenge" },
  "processing:awaiting_redirect_result": { charge: "redirect" },
  "processing:paid": { payin: "open", charge: "pending" },
  "processing:payout_process": { payout: "pending" },
  "dispute:no_payment": { payin: "open" },
  "dispute:different_amount": { payin: "received", charge: "received" },
  "dispute:confirm_timeout": { payin: "open", charge: "pending" },
  "dispute:payout_failed": { payout: "may_have_left" },
  // The gateway waits for its own provider longer than usual, and so do we.
  "dispute:payout_timeout": { payout: "pending" },
  "dispute:incorrect_requisites": { payout: "receiver_wrong" },
  success: { payin: "credited", payout: "approved", charge: "credited" },
  decline: { payin: "declined", payout: "declined", charge: "declined" },
} as const satisfies Record<PaymentState, Row>;

export function standingOf<K extends keyof Row>(payment: WirePayment, of: K): Row[K] | undefined {
  const row: Row | undefined = lookUp(ROWS, wordOf(payment));
  return row?.[of];
}

/** The gateway's own words. */
export function wordOf({ status, sub_status }: Pick<WirePayment, "status" | "sub_status">): string {
  return sub_status === null || sub_status === undefined ? status : `${status}:${sub_status}`;
}

/** A gateway's word may be `constructor`: only the table's own members count. */
export function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
