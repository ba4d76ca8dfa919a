import type { FieldFault } from "../errors.ts";

/**
 * Every error that the account's pages can be answered with. It is a list of its own: merchants' programs never see these,
 * and the contract does not promise them.
 */
export type AccountErrorCode =
  | "malformed_json"
  | "validation_failed"
  | "not_signed_in"
  | "sign_in_failed"
  | "code_wrong"
  | "cross_site"
  | "insecure_connection"
  | "forbidden"
  | "step_up_required"
  | "second_factor_required"
  | "not_found"
  | "link_invalid"
  | "password_too_short"
  | "password_too_long"
  | "password_common"
  | "already_member"
  | "last_owner"
  | "wrong_state"
  | "picture_not_image"
  | "picture_damaged"
  | "picture_too_large"
  | "picture_too_many_pixels"
  | "only_mask_kept"
  | "same_file"
  | "rate_limited"
  | "busy"
  | "internal_error"
  | "unavailable"
  | "key_unreadable"
  | "key_not_rsa"
  | "key_size"
  | "key_exponent"
  | "key_known"
  | "too_many_keys"
  | "last_key"
  | "address_invalid";

export type AccountFault = {
  readonly code: AccountErrorCode;
  readonly message: string;
  readonly fields?: readonly FieldFault[];
  readonly retryAfterS?: number;
};

export function accountFault(code: AccountErrorCode, message: string): AccountFault {
  return { code, message };
}
