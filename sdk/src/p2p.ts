import type { Payment } from "./contract-answers.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { P2pPayinRequest, P2pPayoutRequest } from "./requests.ts";

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

export function createP2p({ create, tell }: PaymentCalls): P2p {
  return Object.freeze({
    payin: Object.freeze({
      create: (request: P2pPayinRequest) => create("/api/v1/payment/p2p/payin", request),
      info: (paymentId: string) => tell("/api/v1/payment/p2p/payin/info", paymentId),
      confirm: (paymentId: string) => tell("/api/v1/payment/p2p/payin/confirm", paymentId),
      cancel: (paymentId: string) => tell("/api/v1/payment/p2p/payin/cancel", paymentId),
    }),
    payout: Object.freeze({
      create: (request: P2pPayoutRequest) => create("/api/v1/payment/p2p/payout", request),
      info: (paymentId: string) => tell("/api/v1/payment/p2p/payout/info", paymentId),
    }),
  });
}
