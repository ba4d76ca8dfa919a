import { createPayment, type PaymentWish } from "../../app/payments/create-payment.ts";
import {
  NOT_FOUND,
  type PathScope,
  renderNewCard,
  renderPayment,
  type ShownPayment,
} from "../../app/payments/payment-answers.ts";
import { renderShown } from "../../app/payments/show-payment.ts";
import type { Minor } from "../../core/money.ts";
import { findBodyFaults } from "../../core/payments/body-rules.ts";
import { canonicalJson } from "../../core/payments/canonical-json.ts";
import { fail, ok } from "../../core/result.ts";
import type { ProjectCall } from "./admit.ts";
import { type BodyOfPayment, bodyOfPayment, type P2pPayinBody, type PayoutBody } from "./blocks.ts";
import type { MerchantCall, MerchantDeps, PaymentCall } from "./call.ts";

/** What the calls of every product have in common. */

/** Left out of the hash that bodies are compared by: it may be kept nowhere, in no form. */
const NEVER_HASHED = ["card.cvv"];

export function rulesOf(scope: PathScope): NonNullable<MerchantCall["rules"]> {
  return ({ mode, providerCodes }) => {
    const situation = { ...scope, mode, providerCodes };
    return (body) => findBodyFaults(body, situation);
  };
}

export function infoCall(path: string, scope: PathScope): PaymentCall {
  return {
    path,
    body: bodyOfPayment,
    answer: async (deps, call) => {
      const { projectId, paymentId } = nameOf(call);
      const row = await deps.readPayment({ projectId, direction: scope.direction, paymentId });
      if (row === undefined || row.product !== scope.product) return fail(NOT_FOUND);
      const { keyring, publicUrl } = deps;
      return ok({ json: renderShown({ keyring, publicUrl, directory: call.directory }, row) });
    },
  };
}

/** Only what is needed is handed on: to copy all that a call has takes longer than to render. */
export function render(deps: MerchantDeps, { directory }: ProjectCall, payment: ShownPayment): Promise<string> {
  const { db, keyring, publicUrl } = deps;
  return renderPayment({ db, keyring, publicUrl, directory }, payment);
}

export function nameOf({ project, body }: ProjectCall) {
  return { projectId: project.id, paymentId: (body as BodyOfPayment).general.payment_id };
}

export async function create(
  deps: MerchantDeps,
  call: ProjectCall,
  wish: PaymentWish,
): ReturnType<MerchantCall["answer"]> {
  const created = await createPayment(deps, call.directory, call.project, wish);
  if (!created.ok) return created;
  const { replayed } = created.value;
  if (replayed || created.value.card === undefined)
    return ok({ json: await render(deps, call, created.value.payment), replayed });
  return ok({ json: renderNewCard(created.value.payment, created.value.card), replayed });
}

type CreateBody = Pick<P2pPayinBody, "general" | "payment" | "customer" | "sender"> &
  Partial<Pick<PayoutBody, "receiver">>;

/** Written member by member, as are the other objects that every create makes: to add members to a copy takes longer. */
export function wishOf(
  { keyring }: MerchantDeps,
  { body }: ProjectCall,
  scope: PathScope,
  details: Partial<Pick<PaymentWish, "receiver" | "card">> = {},
): PaymentWish {
  const { general, payment, customer, sender, receiver } = body as CreateBody;
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
    bodyHash: keyring.lookupHash("payments.body", `${scope.product} ${canonicalJson(body, NEVER_HASHED)}`),
    method: payment.method,
    currency: payment.currency,
    amount: BigInt(payment.amount) as Minor,
    customerId: customer.id,
    lifetimeS: payment.lifetime,
    bank: (sender ?? receiver)?.bank,
    receiver: details.receiver,
    card: details.card,
    request,
  };
}
