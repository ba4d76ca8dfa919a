import type { TillgateCallback } from "./contract-answers.ts";
import { CALLBACK_SHAPE } from "./contract-shapes.ts";
import { TillgateSignatureError } from "./errors.ts";
import { findIntegrationMisfit } from "./integration.ts";
import { findRequisitesMisfit } from "./requisites.ts";
import { findMisfit } from "./shape.ts";

/** The names a line of scheme 1 can begin with. */
export const CALLBACK_MEMBERS: readonly string[] = Object.keys(CALLBACK_SHAPE).map((key) => key.replace(/\?$/, ""));

export function asCallback(value: unknown): TillgateCallback {
  const callback = value as TillgateCallback;
  const misfit = findMisfit(value, CALLBACK_SHAPE) ?? findRequisitesMisfit(callback) ?? findIntegrationMisfit(callback);
  if (misfit === undefined) return callback;
  throw new TillgateSignatureError("body_malformed", `the body is not a callback: ${misfit} is missing or wrong`);
}
