import type { ErrorCode } from "./contract-answers.ts";

/** What to do after each error of the service. A code without its sentence does not compile. */
const ADVICE = {
  malformed_json:
    "Send UTF-8 JSON as the contract describes it. If a proxy is between, check that it does not change bodies.",
  validation_failed: "Correct the members that fieldErrors lists, and call again with the same payment_id.",
  auth_header_missing: "Check that no proxy removes or doubles the x-access-… headers.",
  timestamp_invalid: "x-access-timestamp is Unix time in whole seconds, ten digits.",
  timestamp_out_of_window: "Set the clock of this machine: it differs too much from the service's. Use NTP.",
  signature_invalid:
    "Check merchantId, the key and its project in the account, and that the key is active. Compare your signature at /docs, Check my signature.",
  project_forbidden: "Use a key of this project, or the projectId that this key is for.",
  project_inactive: "The project is paused. Ask the operator; payments under way go on.",
  ip_not_allowed: "Add this machine's address to the project's list, or call from an address on it.",
  scheme_not_allowed: "The project accepts scheme 2 only: leave out the option scheme.",
  method_not_enabled: "Ask the operator to enable the method for this currency, or offer another method.",
  payment_not_found:
    "Check the payment_id, and that the call is of the same product and direction that created it. After a create without an answer: send the create again with the same payment_id and body.",
  not_found: "Check baseUrl and the path: there is no such call here. Sandbox calls exist for test projects only.",
  method_not_allowed: "Send a POST. If a proxy is between, check that it does not change the method.",
  body_too_large: "Send less: a body has at most 65,536 bytes.",
  content_type_unsupported:
    "Send content-type: application/json. If a proxy is between, check that it keeps the header.",
  payment_id_conflict:
    "This payment_id exists with another body. If it is the same order, ask info and go on with the payment that exists; if it is a new order, use a new payment_id.",
  wrong_state: "Ask info: the payment is no longer, or not yet, in a state for this call. Do not repeat it unchanged.",
  insufficient_balance: "Add money to the balance, or pay out less; then call again with the same payment_id.",
  amount_out_of_limits:
    "Choose an amount within the limits of the method and of the day, or ask the operator to change them.",
  bank_unknown: "Take a bank's symbol from bank.all(), of the country of the currency.",
  bank_not_sbp: "Take a bank from bank.all() whose is_sbp_bank is true, or use another method.",
  card_invalid: "Ask the payer to correct the card, or to use another. A test project takes the sandbox's cards only.",
  test_card_on_live_project: "Use a real card here, or a test project with this card.",
  three_ds_result_invalid:
    "Pass on exactly what the payer's browser brought. Then ask info: the service may have the result already.",
  no_provider: "Offer the payer another method, or ask the operator: no provider takes this payment now.",
  rate_limited: "Wait for retryAfterS seconds, then call again. Nothing was changed.",
  internal_error: "A fault of the service. Give requestId to the operator if it stays.",
  unavailable: "The service cannot work at the moment. Wait for retryAfterS seconds, then call again.",
} as const satisfies Record<ErrorCode, string>;

export const UNKNOWN_OUTCOME_ADVICE =
  "The service may have acted. Repeat the same call with the same payment_id and body, or ask info; never use a new payment_id.";

/** The answer was not the service's: `code` is `unknown`, or one of a later version. */
const FOREIGN_ANSWER_ADVICE =
  "Look the code up at /docs of the service. If there is none, a proxy answered: check baseUrl.";

export function adviceOnCode(code: string, { outcomeUnknown }: { readonly outcomeUnknown: boolean }): string {
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code as ErrorCode] : FOREIGN_ANSWER_ADVICE;
  return outcomeUnknown ? `${advice} ${UNKNOWN_OUTCOME_ADVICE}` : advice;
}

export type SignatureFaultReason =
  | "header_missing"
  | "header_doubled"
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "algorithm_unexpected"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed"
  | "body_ambiguous"
  | "project_foreign";

export const SIGNATURE_ADVICE = {
  header_missing:
    "Pass all headers as they were received. Without them the request is not from the service: answer 400.",
  header_doubled: "Check that no proxy repeats headers; otherwise the request is not from the service: answer 400.",
  timestamp_malformed: "The request is not from the service: answer 400.",
  timestamp_out_of_tolerance:
    "Set the clock of this machine with NTP. If it is right, the request is an old one: answer 400.",
  algorithm_unexpected:
    "Give the key that the project's callbacks are signed with: publicKeyPem for RSA, secret for HMAC.",
  signature_malformed: "The request is not from the service: answer 400.",
  signature_mismatch:
    "Pass the body as it was received, before any JSON parser, and the secret or key of this project. If both are right, the request is forged: answer 400.",
  body_malformed: "The body is not a callback of the contract: answer 400.",
  body_ambiguous: "Verify the webhook-… headers with verifyStandardWebhook, which cover the bytes of the body.",
  project_foreign:
    "The callback is of another project than projectId names: answer 400, and check the project's callback URL.",
} as const satisfies Record<SignatureFaultReason, string>;
