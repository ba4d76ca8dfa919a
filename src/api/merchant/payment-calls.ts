import { createPayment, type PaymentWish } from "../../app/create-payment.ts";
import { getPayment, type PathScope, renderPayment } from "../../app/payment-answers.ts";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Minor } from "../../core/money.ts";
import { findBodyFaults } from "../../core/payment/body-rules.ts";
import { ok } from "../../core/result.ts";
import type { AdmittedCall } from "./admit.ts";
import {
  type BodyOfPayment,
  bodyOfPayment,
  type EcomPayinBody,
  type P2pPayinBody,
  type PayoutBody,
  type WidgetBody,
} from "./blocks.ts";
import type { MerchantCall, MerchantDeps } from "./call.ts";

/** What the calls of every product have in common. */

/** Left out of the hash that bodies are compared by: it may be kept nowhere, in no form. */
const NEVER_HASHED = ["card.cvv"];

export function rulesOf(scope: PathScope): NonNullable<MerchantCall["rules"]> {
  return ({ mode, providerCodes }) => {
    const situation = { ...scope, mode, providerCodes };
    return (body) => findBodyFaults(body, situation);
  };
}

export function infoCall(path: string, scope: PathScope): MerchantCall {
  return {
    path,
    body: bodyOfPayment,
    answer: async (deps, call) => {
      const found = await getPayment(deps.db, scope, nameOf(call));
      return found.ok ? ok({ json: await renderPayment({ ...deps, ...call }, found.value) }) : found;
    },
  };
}

export function nameOf({ project, body }: AdmittedCall) {
  return { projectId: project.id, paymentId: (body as BodyOfPayment).general.payment_id };
}

export async function create(
  deps: MerchantDeps,
  call: AdmittedCall,
  wish: PaymentWish,
): ReturnType<MerchantCall["answer"]> {
  const created = await createPayment(deps, call.directory, call.project, wish);
  if (!created.ok) return created;
  const { payment, replayed } = created.value;
  return ok({ json: await renderPayment({ ...deps, ...call }, payment), replayed });
}

type CreateBody = P2pPayinBody | PayoutBody | EcomPayinBody;

/** The part of a wish that every create with a method has. */
export function wishOf(
  deps: MerchantDeps,
  call: AdmittedCall,
  scope: PathScope,
): Omit<PaymentWish, "lifetimeS" | "bank" | "receiver" | "card"> {
  return { ...scope, ...commonWish(deps, call, scope), method: (call.body as CreateBody).payment.method };
}

/** The part of a wish that every create has. */
export function commonWish({ keyring }: MerchantDeps, { body }: AdmittedCall, scope: PathScope) {
  const { general, payment, customer, ...rest } = body as CreateBody | WidgetBody;
  const request: PaymentWish["request"] = compact({
    callbackUrl: general.merchant_callback_url,
    successCallbackUrl: general.merchant_success_callback_url,
    declineCallbackUrl: general.merchant_decline_callback_url,
    redirectUrl: general.redirect_url,
    description: payment.description,
    paymentSystem: payment.payment_system,
    widgetMethod: "widget_method" in payment ? payment.widget_method : undefined,
    customer,
    sender: "sender" in rest ? rest.sender : undefined,
  });
  return {
    paymentId: general.payment_id,
    bodyHash: keyring.lookupHash("payments.body", `${scope.product} ${canonicalJson(body, NEVER_HASHED)}`),
    currency: payment.currency,
    amount: BigInt(payment.amount) as Minor,
    customerId: customer.id,
    request,
  };
}

function compact<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
