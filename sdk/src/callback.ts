import type { TillgateCallback } from "./contract-answers.ts";
import { TillgateSignatureError } from "./errors.ts";
import { findIntegrationMisfit, INTEGRATION_SHAPE } from "./integration.ts";
import { STATUS_SHAPE, SUMS_SHAPE } from "./payment.ts";
import { findRequisitesMisfit, REQUISITES_SHAPE } from "./requisites.ts";
import { findMisfit } from "./shape.ts";

const CALLBACK_SHAPE = {
  project_id: "string",
  general: { request_id: "string", payment_id: "string" },
  status: STATUS_SHAPE,
  payment_info: { type: "string", ...SUMS_SHAPE },
  "requisites?": REQUISITES_SHAPE,
  "integration?": INTEGRATION_SHAPE,
  event: { id: "string", sequence: "integer", created_at: "string" },
} as const;

/** The names a line of scheme 1 can begin with. */
export const CALLBACK_MEMBERS: readonly string[] = Object.keys(CALLBACK_SHAPE).map((key) => key.replace(/\?$/, ""));

export function asCallback(value: unknown): TillgateCallback {
  const callback = value as TillgateCallback;
  const misfit = findMisfit(value, CALLBACK_SHAPE) ?? findRequisitesMisfit(callback) ?? findIntegrationMisfit(callback);
  if (misfit === undefined) return callback;
  throw new TillgateSignatureError("body_malformed", `the body is not a callback: ${misfit} is missing or wrong`);
}
