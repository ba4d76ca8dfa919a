import type { CallOptions } from "./call-options.ts";
import type { Payment } from "./contract-answers.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { WidgetPayinRequest } from "./requests.ts";

/** The hosted payment page: send the payer to `payment.integration.form_url`. */
export type Widget = {
  readonly payin: {
    readonly create: (request: WidgetPayinRequest, options?: CallOptions) => Promise<CreatedPayment>;
    readonly info: (paymentId: string, options?: CallOptions) => Promise<Payment>;
    /** The payer says that the transfer was made. */
    readonly confirm: (paymentId: string, options?: CallOptions) => Promise<Payment>;
    readonly cancel: (paymentId: string, options?: CallOptions) => Promise<Payment>;
  };
};

export function createWidget({ create, tell }: PaymentCalls): Widget {
  return Object.freeze({
    payin: Object.freeze({
      create: (request: WidgetPayinRequest, options?: CallOptions) => create("/api/v1/widget/payin", request, options),
      info: (paymentId: string, options?: CallOptions) => tell("/api/v1/widget/payin/info", paymentId, options),
      confirm: (paymentId: string, options?: CallOptions) => tell("/api/v1/widget/payin/confirm", paymentId, options),
      cancel: (paymentId: string, options?: CallOptions) => tell("/api/v1/widget/payin/cancel", paymentId, options),
    }),
  });
}
