import type { PathScope } from "../../app/payments/payment-answers.ts";
import { tellPayin } from "../../app/payments/tell-payin.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { toPayoutReceiver } from "../../core/payments/receiver.ts";
import { ok } from "../../core/result.ts";
import { bodyOfPayment, type PayoutBody, p2pPayinBody, payoutBody } from "./blocks.ts";
import type { PaymentCall } from "./call.ts";
import { create, infoCall, nameOf, render, rulesOf, wishOf } from "./payment-calls.ts";

const PAYIN = { product: "p2p", direction: "payin" } as const;
const PAYOUT = { product: "p2p", direction: "payout" } as const;

export const p2pPayin: PaymentCall = {
  path: "/api/v1/payment/p2p/payin",
  body: p2pPayinBody,
  rules: rulesOf(PAYIN),
  answer: (deps, call) => create(deps, call, wishOf(deps, call, PAYIN)),
};

export const p2pPayout = payoutCall("/api/v1/payment/p2p/payout", PAYOUT);
export const p2pPayinInfo = infoCall("/api/v1/payment/p2p/payin/info", PAYIN);
export const p2pPayoutInfo = infoCall("/api/v1/payment/p2p/payout/info", PAYOUT);
export const p2pPayinConfirm = tellCall("/api/v1/payment/p2p/payin/confirm", PAYIN, "confirmed");
export const p2pPayinCancel = tellCall("/api/v1/payment/p2p/payin/cancel", PAYIN, "cancelled");

/** Payouts to cards go the same way, whichever product they are made through. */
export function payoutCall(
  path: string,
  scope: { readonly product: "p2p" | "ecom"; readonly direction: "payout" },
): PaymentCall {
  return {
    path,
    body: payoutBody,
    rules: rulesOf(scope),
    answer: (deps, call) => {
      const { payment, receiver } = call.body as PayoutBody;
      const wish = wishOf(deps, call, scope, { receiver: toPayoutReceiver(payment.method as Method, receiver) });
      return create(deps, call, wish);
    },
  };
}

export function tellCall(path: string, scope: PathScope, event: "confirmed" | "cancelled"): PaymentCall {
  return {
    path,
    body: bodyOfPayment,
    answer: async (deps, call) => {
      const told = await tellPayin(deps, scope, nameOf(call), event);
      return told.ok ? ok({ json: await render(deps, call, told.value) }) : told;
    },
  };
}
