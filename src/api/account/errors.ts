import type { FastifyReply } from "fastify";
import type { AccountErrorCode, AccountFault } from "../../core/people/account-fault.ts";
import { sendJson } from "../respond.ts";

/** The one table from the account's error codes to HTTP. A code without its row does not compile. */
const ACCOUNT_STATUS = {
  malformed_json: 400,
  validation_failed: 400,
  not_signed_in: 401,
  sign_in_failed: 401,
  code_wrong: 422,
  cross_site: 403,
  insecure_connection: 403,
  forbidden: 403,
  step_up_required: 403,
  second_factor_required: 403,
  not_found: 404,
  link_invalid: 404,
  password_too_short: 422,
  password_too_long: 422,
  password_common: 422,
  already_member: 409,
  last_owner: 409,
  wrong_state: 409,
  picture_not_image: 422,
  picture_damaged: 422,
  picture_too_large: 422,
  picture_too_many_pixels: 422,
  only_mask_kept: 409,
  same_file: 409,
  rate_limited: 429,
  busy: 503,
  internal_error: 500,
  unavailable: 503,
  key_unreadable: 422,
  key_not_rsa: 422,
  key_size: 422,
  key_exponent: 422,
  key_known: 409,
  too_many_keys: 409,
  last_key: 409,
  address_invalid: 422,
} as const satisfies Record<AccountErrorCode, number>;

export function sendAccountFault(
  reply: FastifyReply,
  { code, message, fields, retryAfterS }: AccountFault,
): FastifyReply {
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  reply.request.faultCode = code;
  const error = { code, message, ...(fields === undefined ? {} : { fields }) };
  return sendJson(reply, ACCOUNT_STATUS[code], JSON.stringify({ error }));
}
