import { confirmThreeDs } from "../../app/cards/confirm-three-ds.ts";
import type { AuthenticationResult, Browser } from "../../core/card-acquirer.ts";
import type { FieldFault } from "../../core/errors.ts";
import { ok } from "../../core/result.ts";
import type { JsonObject, JsonValue } from "../../platform/strict-json.ts";
import { type EcomPayinBody, ecomPayinBody, type ThreeDsBody, threeDsBody } from "./blocks.ts";
import type { PaymentCall } from "./call.ts";
import { payoutCall } from "./p2p.ts";
import { create, infoCall, nameOf, render, rulesOf, wishOf } from "./payment-calls.ts";

const PAYIN = { product: "ecom", direction: "payin" } as const;
const PAYOUT = { product: "ecom", direction: "payout" } as const;

export const ecomPayin: PaymentCall = {
  path: "/api/v1/payment/ecom/payin",
  body: ecomPayinBody,
  rules: rulesOf(PAYIN),
  answer: (deps, call) => {
    const { card, customer } = call.body as EcomPayinBody;
    const details = {
      card: {
        card: {
          pan: card.pan,
          cvv: card.cvv,
          holder: card.card_holder,
          expiryMonth: card.expiry_month,
          expiryYear: card.expiry_year,
        },
        browser: customer.browser && browserOf(customer.browser),
      },
    };
    return create(deps, call, wishOf(deps, call, PAYIN, details));
  },
};

export const ecomPayinInfo = infoCall("/api/v1/payment/ecom/payin/info", PAYIN);
export const ecomPayout = payoutCall("/api/v1/payment/ecom/payout", PAYOUT);
export const ecomPayoutInfo = infoCall("/api/v1/payment/ecom/payout/info", PAYOUT);

export const ecomConfirmThreeDs: PaymentCall = {
  path: "/api/v1/payment/ecom/payin/confirm-3ds-result",
  body: threeDsBody,
  rules: () => findThreeDsFaults,
  answer: async (deps, call) => {
    const result = resultOf((call.body as ThreeDsBody).three_ds);
    const confirmed = await confirmThreeDs(deps, PAYIN, nameOf(call), result);
    return confirmed.ok ? ok({ json: await render(deps, call, confirmed.value) }) : confirmed;
  },
};

/** Either cres, or pa_res and md. */
function findThreeDsFaults(body: JsonValue): readonly FieldFault[] {
  const threeDs = memberOf(body, "three_ds");
  if (typeof threeDs !== "object" || threeDs === null || Array.isArray(threeDs)) return [];
  const has = (name: string) => Object.hasOwn(threeDs, name);
  const missing = (name: string): FieldFault => ({
    field: `three_ds.${name}`,
    code: "required",
    message: "is required",
  });
  if (has("cres")) {
    return ["pa_res", "md"]
      .filter(has)
      .map((name) => ({ field: `three_ds.${name}`, code: "unknown_member", message: "does not go with cres" }));
  }
  if (!has("pa_res") && !has("md")) return [missing("cres")];
  return ["pa_res", "md"].filter((name) => !has(name)).map(missing);
}

function memberOf(body: JsonValue, name: string): JsonValue | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  return Object.hasOwn(body, name) ? (body as JsonObject)[name] : undefined;
}

function resultOf(threeDs: ThreeDsBody["three_ds"]): AuthenticationResult {
  return "cres" in threeDs ? { cres: threeDs.cres } : { paRes: threeDs.pa_res, md: threeDs.md };
}

function browserOf(browser: NonNullable<EcomPayinBody["customer"]["browser"]>): Browser {
  return {
    acceptHeader: browser.accept_header,
    userAgent: browser.user_agent,
    language: browser.language,
    colorDepth: browser.color_depth,
    screenWidth: browser.screen_width,
    screenHeight: browser.screen_height,
    timezoneOffset: browser.timezone_offset,
    javaEnabled: browser.java_enabled,
  };
}
