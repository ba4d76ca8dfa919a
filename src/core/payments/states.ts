/**
 * Where a payment stands. A state is the wire's status and sub_status in one word; the final ones have no sub_status and
 * never change.
 */
export type FinalState = "success" | "decline";

export type P2pPayinState =
  | "processing:new"
  | "processing:requisites"
  | "processing:awaiting_confirm"
  | "processing:paid"
  | "dispute:no_payment"
  | "dispute:different_amount"
  | "dispute:confirm_timeout"
  | FinalState;

export type CardPayinState =
  | "processing:new"
  | "processing:awaiting_3ds_result"
  | "processing:awaiting_redirect_result"
  | "processing:paid"
  | "dispute:different_amount"
  | "dispute:confirm_timeout"
  | FinalState;

export type PayoutState =
  | "processing:new"
  | "processing:payout_process"
  | "dispute:payout_failed"
  | "dispute:payout_timeout"
  | "dispute:incorrect_requisites"
  | FinalState;

export type PaymentState = P2pPayinState | CardPayinState | PayoutState;

export type WireStatus = { readonly status: string; readonly sub_status: string | null };

export function wireStatus(state: PaymentState): WireStatus {
  const [status = "", subStatus] = state.split(":");
  return { status, sub_status: subStatus ?? null };
}

export function isFinal(state: PaymentState): state is FinalState {
  return state === "success" || state === "decline";
}
