import type { CallOptions } from "./call-options.ts";
import type { Payment } from "./contract-answers.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { P2pPayinRequest, P2pPayoutRequest } from "./requests.ts";

/** Transfers between people. Each call is one path of the contract: `payin.info` is `/api/v1/payment/p2p/payin/info`. */
export type P2p = {
  readonly payin: {
    /** The requisites follow within a second or so, by callback and through `info`. */
    readonly create: (request: P2pPayinRequest, options?: CallOptions) => Promise<CreatedPayment>;
    readonly info: (paymentId: string, options?: CallOptions) => Promise<Payment>;
    /** The payer says that the transfer was made. */
    readonly confirm: (paymentId: string, options?: CallOptions) => Promise<Payment>;
    readonly cancel: (paymentId: string, options?: CallOptions) => Promise<Payment>;
  };
  readonly payout: {
    readonly create: (request: P2pPayoutRequest, options?: CallOptions) => Promise<CreatedPayment>;
    readonly info: (paymentId: string, options?: CallOptions) => Promise<Payment>;
  };
};

export function createP2p({ create, tell }: PaymentCalls): P2p {
  return Object.freeze({
    payin: Object.freeze({
      create: (request: P2pPayinRequest, options?: CallOptions) =>
        create("/api/v1/payment/p2p/payin", request, options),
      info: (paymentId: string, options?: CallOptions) => tell("/api/v1/payment/p2p/payin/info", paymentId, options),
      confirm: (paymentId: string, options?: CallOptions) =>
        tell("/api/v1/payment/p2p/payin/confirm", paymentId, options),
      cancel: (paymentId: string, options?: CallOptions) =>
        tell("/api/v1/payment/p2p/payin/cancel", paymentId, options),
    }),
    payout: Object.freeze({
      create: (request: P2pPayoutRequest, options?: CallOptions) =>
        create("/api/v1/payment/p2p/payout", request, options),
      info: (paymentId: string, options?: CallOptions) => tell("/api/v1/payment/p2p/payout/info", paymentId, options),
    }),
  });
}
