import type { Payment } from "./payment.ts";
import type { CreatedPayment, PaymentCalls } from "./payment-calls.ts";
import type { Customer, General, Terms } from "./request-blocks.ts";

export type WidgetMethod =
  | "payin-p2p-card"
  | "payin-p2p-sbp"
  | "payin-p2p-phone"
  | "payin-p2p-mobile"
  | "payin-p2p-international"
  | "payin-qr-link-p2p"
  | "payin-ecom-card";

export type WidgetPayinRequest = {
  readonly general: General;
  readonly payment: Omit<Terms<string>, "method"> & {
    readonly type?: "payin" | undefined;
    /** Shown first; the payer may choose another. */
    readonly widget_method?: WidgetMethod | undefined;
    /** Seconds to choose in, from 300 to 600; 600 when absent. */
    readonly lifetime?: number | undefined;
  };
  readonly customer: Omit<Customer, "ip_address"> & { readonly ip_address?: string | undefined };
};

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
