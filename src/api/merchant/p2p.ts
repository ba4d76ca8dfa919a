import { createPayment, type PaymentWish } from "../../app/create-payment.ts";
import { getPayment, type PathScope, renderPayment, type ShownPayment, tellPayin } from "../../app/payment-answers.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Method } from "../../core/methods.ts";
import type { Minor } from "../../core/money.ts";
import { findBodyFaults } from "../../core/payment/body-rules.ts";
import { toPayoutReceiver } from "../../core/payment/receiver.ts";
import { ok } from "../../core/result.ts";
import type { AdmittedCall } from "./admit.ts";
import {
  type BodyOfPayment,
  bodyOfPayment,
  type P2pPayinBody,
  type PayoutBody,
  p2pPayinBody,
  payoutBody,
} from "./blocks.ts";
import type { MerchantCall, MerchantDeps } from "./call.ts";

const PAYIN = { product: "p2p", direction: "payin" } as const satisfies PathScope;
const PAYOUT = { product: "p2p", direction: "payout" } as const satisfies PathScope;

export const p2pPayin: MerchantCall = {
  path: "/api/v1/payment/p2p/payin",
  body: p2pPayinBody,
  rules: rulesOf(PAYIN),
  answer: (deps, call) => {
    const { payment, sender } = call.body as P2pPayinBody;
    const details = { lifetimeS: payment.lifetime, bank: sender?.bank, receiver: undefined };
    return create(deps, call, wishOf(deps, call, PAYIN, details));
  },
};

export const p2pPayout: MerchantCall = {
  path: "/api/v1/payment/p2p/payout",
  body: payoutBody,
  rules: rulesOf(PAYOUT),
  answer: (deps, call) => {
    const { payment, receiver } = call.body as PayoutBody;
    const payoutReceiver = toPayoutReceiver(payment.method as Method, receiver);
    const details = { lifetimeS: undefined, bank: receiver.bank, receiver: payoutReceiver };
    return create(deps, call, wishOf(deps, call, PAYOUT, details));
  },
};

export const p2pPayinInfo = infoCall("/api/v1/payment/p2p/payin/info", PAYIN);
export const p2pPayoutInfo = infoCall("/api/v1/payment/p2p/payout/info", PAYOUT);
export const p2pPayinConfirm = tellCall("/api/v1/payment/p2p/payin/confirm", "confirmed");
export const p2pPayinCancel = tellCall("/api/v1/payment/p2p/payin/cancel", "cancelled");

function rulesOf(scope: typeof PAYIN | typeof PAYOUT): NonNullable<MerchantCall["rules"]> {
  return ({ mode, providerCodes }) => {
    const situation = { ...scope, mode, providerCodes };
    return (body) => findBodyFaults(body, situation);
  };
}

function infoCall(path: string, scope: PathScope): MerchantCall {
  return {
    path,
    body: bodyOfPayment,
    answer: async (deps, call) => {
      const found = await getPayment(deps.db, scope, nameOf(call));
      return found.ok ? ok({ json: render(deps, call, found.value) }) : found;
    },
  };
}

function tellCall(path: string, event: "confirmed" | "cancelled"): MerchantCall {
  return {
    path,
    body: bodyOfPayment,
    answer: async (deps, call) => {
      const told = await tellPayin(deps, PAYIN, nameOf(call), event);
      return told.ok ? ok({ json: render(deps, call, told.value) }) : told;
    },
  };
}

function render({ keyring }: MerchantDeps, { directory }: AdmittedCall, payment: ShownPayment): string {
  return renderPayment({ keyring, directory }, payment);
}

function nameOf({ project, body }: AdmittedCall) {
  return { projectId: project.id, paymentId: (body as BodyOfPayment).general.payment_id };
}

async function create(deps: MerchantDeps, call: AdmittedCall, wish: PaymentWish): ReturnType<MerchantCall["answer"]> {
  const created = await createPayment(deps, call.directory, call.project, wish);
  if (!created.ok) return created;
  const { payment, replayed } = created.value;
  return ok({ json: render(deps, call, payment), replayed });
}

function wishOf(
  { keyring }: MerchantDeps,
  { body }: AdmittedCall,
  scope: PathScope,
  details: Pick<PaymentWish, "lifetimeS" | "bank" | "receiver">,
): PaymentWish {
  const { general, payment, customer, sender } = body as P2pPayinBody & Partial<PayoutBody>;
  const request: PaymentWish["request"] = {
    callbackUrl: general.merchant_callback_url,
    successCallbackUrl: general.merchant_success_callback_url,
    declineCallbackUrl: general.merchant_decline_callback_url,
    redirectUrl: general.redirect_url,
    description: payment.description,
    paymentSystem: payment.payment_system,
    customer,
    sender,
  };
  return {
    direction: scope.direction,
    product: scope.product,
    paymentId: general.payment_id,
    bodyHash: keyring.lookupHash("payments.body", `${scope.product} ${canonicalJson(body)}`),
    method: payment.method,
    currency: payment.currency,
    amount: BigInt(payment.amount) as Minor,
    customerId: customer.id,
    lifetimeS: details.lifetimeS,
    bank: details.bank,
    receiver: details.receiver,
    request,
  };
}
