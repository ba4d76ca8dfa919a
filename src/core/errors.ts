import { maskPansIn } from "./cards/luhn.ts";

/**
 * Every error a merchant's program can be answered with. The list is closed: `api/errors.ts` maps each code to its
 * HTTP status, and a code without a row there does not compile.
 */
export const ERROR_CODES = [
  "malformed_json",
  "validation_failed",
  "auth_header_missing",
  "timestamp_invalid",
  "timestamp_out_of_window",
  "signature_invalid",
  "project_forbidden",
  "project_inactive",
  "ip_not_allowed",
  "scheme_not_allowed",
  "method_not_enabled",
  "payment_not_found",
  "not_found",
  "method_not_allowed",
  "body_too_large",
  "content_type_unsupported",
  "payment_id_conflict",
  "wrong_state",
  "insufficient_balance",
  "amount_out_of_limits",
  "bank_unknown",
  "bank_not_sbp",
  "card_invalid",
  "test_card_on_live_project",
  "three_ds_result_invalid",
  "no_provider",
  "rate_limited",
  "internal_error",
  "unavailable",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What is wrong with one member of a request; `field` is its path, such as `payment.amount`. */
export type FieldFault = { readonly field: string; readonly code: FieldFaultCode; readonly message: string };

export type FieldFaultCode =
  | "required"
  | "unknown_member"
  | "wrong_type"
  | "not_integer"
  | "too_small"
  | "too_big"
  | "too_short"
  | "too_long"
  | "bad_format"
  | "not_allowed";

export type Fault = {
  readonly code: ErrorCode;
  readonly description: string;
  readonly fields?: readonly FieldFault[];
  readonly retryAfterS?: number;
};

export function fault(code: ErrorCode, description: string): Fault {
  return { code, description };
}

/** A 400 that lists every wrong member; the description repeats the first for people who read only that. */
export function validationFault(found: readonly FieldFault[]): Fault {
  const fields = found.map((each) => ({ ...each, field: maskPansIn(each.field) }));
  const first = fields[0];
  const description = first === undefined ? "the request is not valid" : describeField(first);
  return { code: "validation_failed", description, fields };
}

function describeField(field: FieldFault): string {
  return field.field === "" ? field.message : `${field.field} ${field.message}`;
}
