import { formatMoney, type Minor, minorToJson } from "../../core/money.ts";
import { wireStatus } from "../../core/payments/states.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { ShownPayment } from "../../store/payments/read-payments.ts";
import { secondsBetween, showDuration } from "../kit/durations.ts";
import { renderTable, showInstant } from "../kit/output.ts";

/** How payments are listed. Sealed members are not among what is shown, for they were never read. */

/** A merchant's name for a payment may be long; the list shows its beginning. */
const PAYMENT_ID_SHOWN = 32;

export function shortPaymentId(paymentId: string): string {
  const characters = [...paymentId];
  return characters.length > PAYMENT_ID_SHOWN ? `${characters.slice(0, PAYMENT_ID_SHOWN - 1).join("")}…` : paymentId;
}

export function renderPayments(payments: readonly ShownPayment[]): string {
  const titles = ["REQUEST", "TYPE", "STATE", "AMOUNT", "METHOD", "CREATED", "PROJECT", "PAYMENT ID"];
  return renderTable(
    titles.map((title) => (title === "AMOUNT" ? { title, align: "right" } : { title })),
    payments.map((payment) => [
      payment.requestId,
      payment.direction,
      payment.state,
      formatMoney(payment.amount, payment.currency),
      payment.method ?? "",
      showInstant(payment.createdAt),
      payment.projectId,
      shortPaymentId(payment.paymentId),
    ]),
  );
}

export function renderPayouts(payments: readonly ShownPayment[]): string {
  const titles = ["REQUEST", "STATE", "AGE", "AMOUNT", "PROVIDER", "REFERENCE", "PROJECT", "PAYMENT ID"];
  return renderTable(
    titles.map((title) => (title === "AMOUNT" || title === "AGE" ? { title, align: "right" } : { title })),
    payments.map((payment) => [
      payment.requestId,
      payment.state,
      showDuration(secondsBetween(payment.createdAt, payment.now)),
      formatMoney(payment.amount, payment.currency),
      payment.provider ?? "none yet",
      payment.reference ?? "none yet",
      payment.projectId,
      shortPaymentId(payment.paymentId),
    ]),
  );
}

export function paymentJson(payment: ShownPayment) {
  return {
    request_id: payment.requestId,
    project_id: payment.projectId,
    book: payment.book,
    payment_id: payment.paymentId,
    type: payment.direction,
    product: payment.product,
    ...wireStatus(payment.state),
    status_description: payment.statusDescription,
    decline_code: payment.declineCode,
    method: payment.method,
    currency: payment.currency,
    amount: minorToJson(payment.amount),
    requested_amount: minorToJson(payment.requestedAmount),
    received_amount: minorToJson(payment.receivedAmount),
    fee: payment.fee === null ? null : minorToJson(payment.fee),
    customer_id: payment.customerId,
    provider: payment.provider,
    reference: payment.reference,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    expires_at: instantJson(payment.expiresAt),
    deadline_at: instantJson(payment.deadlineAt),
    due_at: instantJson(payment.dueAt),
    confirmed_at: instantJson(payment.confirmedAt),
    unknown_since: instantJson(payment.unknownSince),
    shortfall_at: instantJson(payment.shortfallAt),
    contradicted_at: instantJson(payment.contradictedAt),
    unproven_end: payment.unprovenEnd,
    finished_at: instantJson(payment.finishedAt),
  };
}

/** What is worth saying of a payment that was just ended. */
export function endedJson(payment: StoredPayment) {
  return {
    request_id: payment.requestId,
    project_id: payment.projectId,
    payment_id: payment.paymentId,
    type: payment.direction,
    ...wireStatus(payment.state),
    decline_code: payment.declineCode,
    amount: minorToJson(payment.amount),
    currency: payment.currency,
    fee: payment.fee === null ? null : minorToJson(payment.fee),
  };
}

export function instantJson(instant: Date | null): string | null {
  return instant === null ? null : instant.toISOString();
}

/** `1234.50 RUB`, or nothing where there is nothing. */
export function moneyOrNone(amount: Minor | null, currency: ShownPayment["currency"]): string {
  return amount === null ? "none" : formatMoney(amount, currency);
}
