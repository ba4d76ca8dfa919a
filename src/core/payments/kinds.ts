import type { Direction } from "../merchants/methods.ts";

/** Which machine a payment runs on. On the widget it is known once the payer has chosen. */
export type PaymentKind = "p2p" | "card" | "payout";

export function kindOf(payment: { readonly direction: Direction; readonly method: string | null }): PaymentKind {
  if (payment.direction === "payout") return "payout";
  return payment.method === "card-ecom" ? "card" : "p2p";
}
