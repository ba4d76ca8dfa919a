import type { ErrorCode, Fault } from "../core/errors.ts";

/** The one table from error codes to HTTP. A code without its row does not compile. */
export const HTTP_STATUS = {
  malformed_json: 400,
  validation_failed: 400,
  auth_header_missing: 401,
  timestamp_invalid: 401,
  timestamp_out_of_window: 401,
  signature_invalid: 401,
  project_forbidden: 403,
  project_inactive: 403,
  ip_not_allowed: 403,
  scheme_not_allowed: 403,
  method_not_enabled: 403,
  payment_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  content_type_unsupported: 415,
  payment_id_conflict: 409,
  wrong_state: 409,
  insufficient_balance: 422,
  amount_out_of_limits: 422,
  bank_unknown: 422,
  bank_not_sbp: 422,
  card_invalid: 422,
  test_card_on_live_project: 422,
  three_ds_result_invalid: 422,
  no_provider: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** The body that clients of this protocol read: their status fields, and our stable code. */
export function errorBody(fault: Fault): string {
  return JSON.stringify({
    status: "error",
    sub_status: null,
    status_description: fault.description,
    code: fault.code,
    errors: fault.fields ?? [],
  });
}
