import type { Call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import { requireCreatable, requirePaymentId } from "./check-request.ts";
import type { Payment } from "./contract-answers.ts";
import { asPayment } from "./payment.ts";

/** `replayed`: the service knew this `payment_id` with this body already, and the create changed nothing. */
export type CreatedPayment = { readonly payment: Payment; readonly replayed: boolean };

/** What the payment calls of every product have in common. */
export type PaymentCalls = {
  readonly create: (path: string, request: CreateRequest, options?: CallOptions) => Promise<CreatedPayment>;
  /** A call that names a payment, and may bring something beside. */
  readonly tell: (path: string, paymentId: string, options?: CallOptions, beside?: object) => Promise<Payment>;
};

type CreateRequest = {
  readonly general: { readonly payment_id: string };
  readonly payment: { readonly amount: number };
};

/**
 * Every call here is repeated by itself when no answer came, and that is safe: a create is known by its `payment_id` and
 * body, and the others answer the present state once they took effect. Without the repetition a caller would be left with
 * a payment that may or may not exist, and tempted to try a new id, which is how people are paid twice.
 */
const REPEATABLE = { safeToRepeat: true } as const;

export function createPaymentCalls(call: Call, projectId: string): PaymentCalls {
  return {
    create: async (path, request, options) => {
      requireCreatable(request);
      const body = { ...request, general: { project_id: projectId, ...request.general } };
      const answer = await call(path, body, REPEATABLE, options);
      return { payment: asPayment(answer.body), replayed: answer.replayed };
    },
    tell: async (path, paymentId, options, beside = {}) => {
      requirePaymentId(paymentId);
      const general = { project_id: projectId, payment_id: paymentId };
      return asPayment((await call(path, { general, ...beside }, REPEATABLE, options)).body);
    },
  };
}
