import type { FindBodyFaults } from "../../../app/payout-batches/batch-deps.ts";
import { findMethod, METHODS } from "../../../core/merchants/methods.ts";
import { findBodyFaults } from "../../../core/payments/body-rules.ts";
import type { JsonValue } from "../../../platform/strict-json.ts";
import { payoutBody } from "../../merchant/blocks.ts";
import { compileValidator, withRules } from "../../merchant/validate.ts";
import type { AccountDeps } from "../route.ts";

const bySchema = compileValidator(payoutBody);

/** A row of a file is judged as the API judges a request to create the same payout. */
export function openBodyFaults({ mode, providerCodes }: AccountDeps): FindBodyFaults {
  const situation = { direction: "payout", mode, providerCodes } as const;
  const byRules = {
    p2p: (body: JsonValue) => findBodyFaults(body, { ...situation, product: "p2p" }),
    ecom: (body: JsonValue) => findBodyFaults(body, { ...situation, product: "ecom" }),
  };
  return (body) => {
    const method = findMethod(body.payment.method ?? "");
    return withRules(bySchema, byRules[method === undefined ? "p2p" : METHODS[method].product])(body as JsonValue);
  };
}
