import type { ErrorCode } from "../../core/errors.ts";
import type { WireAnswer } from "./channel.ts";
import { lookUp } from "./statuses.ts";
import { readRefusal } from "./wire.ts";

/** `certain`: this call changed nothing, and a repeat would be refused for the same reason. `unchanged`: only the first is sure. */
type Meaning = "certain" | "unchanged" | "conflict" | "wrong_state" | "not_found" | "result_invalid";

/**
 * The errors of the protocol with the HTTP status that goes with each. One that is about our key, our address or the rate of our
 * calls says nothing about the payment. A body without one of these codes may come from anything on the way.
 */
const REFUSALS = {
  malformed_json: [400, "certain"],
  validation_failed: [400, "certain"],
  auth_header_missing: [401, "unchanged"],
  timestamp_invalid: [401, "unchanged"],
  timestamp_out_of_window: [401, "unchanged"],
  signature_invalid: [401, "unchanged"],
  project_forbidden: [403, "unchanged"],
  ip_not_allowed: [403, "unchanged"],
  scheme_not_allowed: [403, "unchanged"],
  project_inactive: [403, "certain"],
  method_not_enabled: [403, "certain"],
  payment_not_found: [404, "not_found"],
  not_found: [404, "unchanged"],
  method_not_allowed: [405, "certain"],
  body_too_large: [413, "certain"],
  content_type_unsupported: [415, "certain"],
  payment_id_conflict: [409, "conflict"],
  wrong_state: [409, "wrong_state"],
  insufficient_balance: [422, "certain"],
  amount_out_of_limits: [422, "certain"],
  bank_unknown: [422, "certain"],
  bank_not_sbp: [422, "certain"],
  card_invalid: [422, "certain"],
  test_card_on_live_project: [422, "certain"],
  three_ds_result_invalid: [422, "result_invalid"],
  no_provider: [422, "certain"],
  rate_limited: [429, "unchanged"],
} as const satisfies Record<Exclude<ErrorCode, "internal_error" | "unavailable">, readonly [number, Meaning]>;

export type Refusal = {
  readonly code: string;
  readonly meaning: Meaning;
  /** The members that the gateway objects to. */
  readonly fields: readonly string[];
};

/** Undefined: it is not the gateway's own refusal. */
export function findRefusal(answer: WireAnswer): Refusal | undefined {
  if (answer.kind !== "answered") return undefined;
  const body = readRefusal(answer.body);
  const row: readonly [number, Meaning] | undefined = body && lookUp(REFUSALS, body.code);
  if (body === undefined || row === undefined || row[0] !== answer.status) return undefined;
  return { code: body.code, meaning: row[1], fields: body.errors?.map(({ field }) => field) ?? [] };
}
