import { createWidgetPayin } from "../../app/page/create-widget.ts";
import { ok } from "../../core/result.ts";
import { type WidgetBody, widgetBody } from "./blocks.ts";
import type { PaymentCall } from "./call.ts";
import { tellCall } from "./p2p.ts";
import { infoCall, render, rulesOf, wishOf } from "./payment-calls.ts";

const PAYIN = { product: "widget", direction: "payin" } as const;

export const widgetPayin: PaymentCall = {
  path: "/api/v1/widget/payin",
  body: widgetBody,
  rules: rulesOf(PAYIN),
  answer: async (deps, call) => {
    const { payment, customer } = call.body as WidgetBody;
    const created = await createWidgetPayin(deps, call.directory, call.project, {
      ...wishOf(deps, call, PAYIN),
      direction: "payin",
      country: customer.country,
      preselected: payment.widget_method,
    });
    if (!created.ok) return created;
    const { payment: made, replayed } = created.value;
    return ok({ json: await render(deps, call, made), replayed });
  },
};

export const widgetInfo = infoCall("/api/v1/widget/payin/info", PAYIN);
export const widgetConfirm = tellCall("/api/v1/widget/payin/confirm", PAYIN, "confirmed");
export const widgetCancel = tellCall("/api/v1/widget/payin/cancel", PAYIN, "cancelled");
