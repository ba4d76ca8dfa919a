import { shaped } from "./answer.ts";
import type { Payment, PaymentCard, PaymentStatus, TillgateCallback } from "./contract-answers.ts";
import { PAYMENT_SHAPE } from "./contract-shapes.ts";
import { TillgateResponseError } from "./errors.ts";
import { findIntegrationMisfit } from "./integration.ts";
import { findRequisitesMisfit } from "./requisites.ts";

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

export function asPayment(answer: unknown): Payment {
  const payment = shaped<Payment>(answer, PAYMENT_SHAPE, "a payment");
  const misfit = findRequisitesMisfit(payment) ?? findIntegrationMisfit(payment);
  if (misfit === undefined) return payment;
  throw new TillgateResponseError(`the answer is not a payment: ${misfit} is missing or wrong`);
}
