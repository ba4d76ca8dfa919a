import type { Payment } from "./contract-answers.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { WidgetPayinRequest } from "./requests.ts";

/** The hosted payment page: send the payer to `payment.integration.form_url`. */
export type Widget = {
  readonly payin: {
    readonly create: (request: WidgetPayinRequest) => Promise<CreatedPayment>;
    readonly info: (paymentId: string) => Promise<Payment>;
    /** The payer says that the transfer was made. */
    readonly confirm: (paymentId: string) => Promise<Payment>;
    readonly cancel: (paymentId: string) => Promise<Payment>;
  };
};

export function createWidget({ create, tell }: PaymentCalls): Widget {
  return Object.freeze({
    payin: Object.freeze({
      create: (request: WidgetPayinRequest) => create("/api/v1/widget/payin", request),
      info: (paymentId: string) => tell("/api/v1/widget/payin/info", paymentId),
      confirm: (paymentId: string) => tell("/api/v1/widget/payin/confirm", paymentId),
      cancel: (paymentId: string) => tell("/api/v1/widget/payin/cancel", paymentId),
    }),
  });
}
