import type { CallOptions } from "./call-options.ts";
import { requireEcomPayin, requireEcomPayout, requireThreeDsResult } from "./check-card.ts";
import type { Payment } from "./contract-answers.ts";
import type { ThreeDsResult } from "./contract-requests.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { EcomPayinRequest, EcomPayoutRequest } from "./requests.ts";

/** Payments by card. Each call is one path of the contract: `payin.info` is `/api/v1/payment/ecom/payin/info`. */
export type Ecom = {
  readonly payin: {
    /** Answers before the card was charged: the result follows within a second or so, by callback and `info`. */
    readonly create: (request: EcomPayinRequest, options?: CallOptions) => Promise<CreatedPayment>;
    readonly info: (paymentId: string, options?: CallOptions) => Promise<Payment>;
    /** For payers whom you sent to the issuer yourself: what their browser brought back. See `threeDsResult`. */
    readonly confirmThreeDs: (paymentId: string, result: ThreeDsResult, options?: CallOptions) => Promise<Payment>;
  };
  readonly payout: {
    readonly create: (request: EcomPayoutRequest, options?: CallOptions) => Promise<CreatedPayment>;
    readonly info: (paymentId: string, options?: CallOptions) => Promise<Payment>;
  };
};

export function createEcom({ create, tell }: PaymentCalls): Ecom {
  return Object.freeze({
    payin: Object.freeze({
      create: async (request: EcomPayinRequest, options?: CallOptions) => {
        requireEcomPayin(request);
        return create("/api/v1/payment/ecom/payin", request, options);
      },
      info: (paymentId: string, options?: CallOptions) => tell("/api/v1/payment/ecom/payin/info", paymentId, options),
      confirmThreeDs: async (paymentId: string, result: ThreeDsResult, options?: CallOptions) => {
        const three_ds = requireThreeDsResult(result);
        return tell("/api/v1/payment/ecom/payin/confirm-3ds-result", paymentId, options, { three_ds });
      },
    }),
    payout: Object.freeze({
      create: async (request: EcomPayoutRequest, options?: CallOptions) => {
        requireEcomPayout(request);
        return create("/api/v1/payment/ecom/payout", request, options);
      },
      info: (paymentId: string, options?: CallOptions) => tell("/api/v1/payment/ecom/payout/info", paymentId, options),
    }),
  });
}
