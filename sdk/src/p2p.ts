import type { Call } from "./call.ts";
import { requireCreatable, requirePaymentId } from "./check-request.ts";
import type { P2pPayinRequest, P2pPayoutRequest } from "./p2p-request.ts";
import { asPayment, type Payment } from "./payment.ts";

/** `replayed`: the service knew this `payment_id` with this body already, and the create changed nothing. */
export type CreatedPayment = { readonly payment: Payment; readonly replayed: boolean };

/** Transfers between people. Each call is one path of the contract: `payin.info` is `/api/v1/payment/p2p/payin/info`. */
export type P2p = {
  readonly payin: {
    /** The requisites follow within a second or so, by callback and through `info`. */
    readonly create: (request: P2pPayinRequest) => Promise<CreatedPayment>;
    readonly info: (paymentId: string) => Promise<Payment>;
    /** The payer says that the transfer was made. */
    readonly confirm: (paymentId: string) => Promise<Payment>;
    readonly cancel: (paymentId: string) => Promise<Payment>;
  };
  readonly payout: {
    readonly create: (request: P2pPayoutRequest) => Promise<CreatedPayment>;
    readonly info: (paymentId: string) => Promise<Payment>;
  };
};

/**
 * Every call here is repeated by itself when no answer came, and that is safe: a create is known by its `payment_id` and
 * body, and confirm and cancel answer the present state once they took effect. Without the repetition a caller would be
 * left with a payment that may or may not exist, and tempted to try a new id, which is how people are paid twice.
 */
const REPEATABLE = { safeToRepeat: true } as const;

export function createP2p(call: Call, projectId: string): P2p {
  const create = async (path: string, request: P2pPayinRequest | P2pPayoutRequest): Promise<CreatedPayment> => {
    requireCreatable(request);
    const body = { ...request, general: { project_id: projectId, ...request.general } };
    const answer = await call(path, body, REPEATABLE);
    return { payment: asPayment(answer.body), replayed: answer.replayed };
  };
  const ofPayment = (path: string) => async (paymentId: string) => {
    requirePaymentId(paymentId);
    const general = { project_id: projectId, payment_id: paymentId };
    return asPayment((await call(path, { general }, REPEATABLE)).body);
  };
  return Object.freeze({
    payin: Object.freeze({
      create: (request: P2pPayinRequest) => create("/api/v1/payment/p2p/payin", request),
      info: ofPayment("/api/v1/payment/p2p/payin/info"),
      confirm: ofPayment("/api/v1/payment/p2p/payin/confirm"),
      cancel: ofPayment("/api/v1/payment/p2p/payin/cancel"),
    }),
    payout: Object.freeze({
      create: (request: P2pPayoutRequest) => create("/api/v1/payment/p2p/payout", request),
      info: ofPayment("/api/v1/payment/p2p/payout/info"),
    }),
  });
}
