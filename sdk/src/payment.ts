import { shaped } from "./answer.ts";
import type { Payment, PaymentCard, PaymentStatus, TillgateCallback } from "./contract-answers.ts";
import { TillgateResponseError } from "./errors.ts";
import { findIntegrationMisfit, INTEGRATION_SHAPE } from "./integration.ts";
import { findRequisitesMisfit, REQUISITES_SHAPE } from "./requisites.ts";

/** Where a payment stands: members of a payment, and `status` of a callback. */
export type StatusFields = TillgateCallback["status"];

export type CardBrand = PaymentCard["brand"];

/**
 * True when the payment will never change again. Takes a payment, or the `status` of a callback. A status of a later
 * version counts as not final.
 */
export function isFinal({ status }: { readonly status: PaymentStatus }): boolean {
  return status === "success" || status === "decline";
}

export const STATUS_SHAPE = {
  status: "string",
  sub_status: "string|null",
  status_description: "string|null",
  decline_code: "string|null",
} as const;

export const SUMS_SHAPE = {
  "method?": "string",
  amount: "integer",
  requested_amount: "integer",
  "received_amount?": "integer",
  currency: "string",
  "fee?": "integer",
  "net?": "integer",
} as const;

const PAYMENT_SHAPE = {
  project_id: "string",
  payment_id: "string",
  request_id: "string",
  type: "string",
  ...STATUS_SHAPE,
  payment: SUMS_SHAPE,
  "requisites?": REQUISITES_SHAPE,
  "card?": { pan: "string", brand: "string" },
  "integration?": INTEGRATION_SHAPE,
  created_at: "string",
  updated_at: "string",
  "expires_at?": "string",
  finished_at: "string|null",
} as const;

export function asPayment(answer: unknown): Payment {
  const payment = shaped<Payment>(answer, PAYMENT_SHAPE, "a payment");
  const misfit = findRequisitesMisfit(payment) ?? findIntegrationMisfit(payment);
  if (misfit === undefined) return payment;
  throw new TillgateResponseError(`the answer is not a payment: ${misfit} is missing or wrong`);
}
