import { TillgateSignatureError } from "./errors.ts";
import { findIntegrationMisfit, INTEGRATION_SHAPE, type Integration } from "./integration.ts";
import { type PaymentSums, type PaymentType, STATUS_SHAPE, type StatusFields, SUMS_SHAPE } from "./payment.ts";
import { findRequisitesMisfit, REQUISITES_SHAPE, type Requisites } from "./requisites.ts";
import { findMisfit } from "./shape.ts";

/** What the service posts whenever the status or sub_status of a payment changes. */
export type TillgateCallback = {
  readonly project_id: string;
  readonly general: { readonly request_id: string; readonly payment_id: string };
  /** `isFinal(callback.status)` tells whether it is the last word. */
  readonly status: StatusFields;
  readonly payment_info: PaymentSums & { readonly type: PaymentType };
  readonly requisites?: Requisites;
  readonly integration?: Integration;
  /** The same event may come again: keep the ids that were handled. A lower `sequence` than the last one is old news. */
  readonly event: { readonly id: string; readonly sequence: number; readonly created_at: string };
};

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
