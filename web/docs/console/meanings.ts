export const ASK_OPERATOR = "Ask the operator of the service, and name the x-request-id.";

/** What an error of this page's own call means. Here the signature is right, so the cause is the key or the body. */
export const MEANINGS: Readonly<Record<string, string>> = {
  malformed_json: "The body is not JSON as the service takes it. The description says what is wrong.",
  validation_failed: "Members of the body are wrong. Each is listed under errors with the reason.",
  auth_header_missing: "A header did not arrive. A proxy between this page and the service may remove it.",
  timestamp_invalid: "The timestamp is Unix time in seconds, ten digits. Leave the field empty to use the time now.",
  timestamp_out_of_window:
    "The clock of this computer and the service's differ too much. Set yours, and leave the timestamp empty.",
  signature_invalid:
    "The service does not know this key, the key belongs to another merchant, or the secret is wrong. The page signs as " +
    "the contract says, so check the merchant id and the key, and that the key was not revoked.",
  project_forbidden:
    "The key may not act for general.project_id: the project is another merchant's, or one of the two is live and the other test.",
  project_inactive: "The operator has switched the project off.",
  ip_not_allowed: "The project takes calls from listed addresses only, and yours is not on the list.",
  scheme_not_allowed: "The project takes scheme 2 only. Choose an algorithm that ends with -V2.",
  method_not_enabled: "The project does not have this method in this currency. Choose another, or have it enabled.",
  payment_not_found: "The project has no payment with this payment_id. Create one first, and use its id here.",
  not_found: "The service has no such path.",
  method_not_allowed: "The path takes another HTTP method.",
  body_too_large: "The body has more than 65,536 bytes.",
  content_type_unsupported: "The content type must be application/json.",
  payment_id_conflict: "A payment with this payment_id exists and was created with another body. Use a new payment_id.",
  wrong_state: "The payment is in a state in which this cannot be done. Ask for the payment to see its state.",
  insufficient_balance: "The project's balance is smaller than the amount and the fee. Let a pay-in succeed first.",
  amount_out_of_limits: "The amount is outside of the limits of this method for the project.",
  bank_unknown: "No bank has this code. /api/v1/bank/all lists those that there are.",
  bank_not_sbp: "This bank does not take part in the fast payment system.",
  card_invalid: "The card's number, date or code is wrong. The guide to testing lists cards that work.",
  test_card_on_live_project: "This is a test card, and the project is live.",
  three_ds_result_invalid: "This is not what the payer's bank returned for this payment. Send its value unchanged.",
  no_provider: "No provider can take the payment now. Nothing was created: try again later, or use another method.",
  rate_limited: "Too many calls. Wait for as many seconds as retry-after says.",
  internal_error: `The service failed. The outcome is unknown: repeat the same body. ${ASK_OPERATOR}`,
  unavailable: "The service cannot work at the moment. Repeat the same body in a few seconds.",
};
