import { requireEcomPayin, requireEcomPayout, requireThreeDsResult } from "./check-card.ts";
import type { Payment } from "./contract-answers.ts";
import type { ThreeDsResult } from "./contract-requests.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { EcomPayinRequest, EcomPayoutRequest } from "./requests.ts";

/** Payments by card. Each call is one path of the contract: `payin.info` is `/api/v1/payment/ecom/payin/info`. */
export type Ecom = {
  readonly payin: {
    /** Answers before the card was charged: the result follows within a second or so, by callback and `info`. */
    readonly create: (request: EcomPayinRequest) => Promise<CreatedPayment>;
    readonly info: (paymentId: string) => Promise<Payment>;
    /** For payers whom you sent to the issuer yourself: what their browser brought back. See `threeDsResult`. */
    readonly confirmThreeDs: (paymentId: string, result: ThreeDsResult) => Promise<Payment>;
  };
  readonly payout: {
    readonly create: (request: EcomPayoutRequest) => Promise<CreatedPayment>;
    readonly info: (paymentId: string) => Promise<Payment>;
  };
};

export function createEcom({ create, tell }: PaymentCalls): Ecom {
  return Object.freeze({
    payin: Object.freeze({
      create: async (request: EcomPayinRequest) => {
        requireEcomPayin(request);
        return create("/api/v1/payment/ecom/payin", request);
      },
      info: (paymentId: string) => tell("/api/v1/payment/ecom/payin/info", paymentId),
      confirmThreeDs: async (paymentId: string, result: ThreeDsResult) =>
        tell("/api/v1/payment/ecom/payin/confirm-3ds-result", paymentId, { three_ds: requireThreeDsResult(result) }),
    }),
    payout: Object.freeze({
      create: async (request: EcomPayoutRequest) => {
        requireEcomPayout(request);
        return create("/api/v1/payment/ecom/payout", request);
      },
      info: (paymentId: string) => tell("/api/v1/payment/ecom/payout/info", paymentId),
    }),
  });
}
