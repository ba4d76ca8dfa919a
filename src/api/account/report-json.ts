import type { ListedPaymentView } from "../../app/reports/list-payments.ts";
import type { ReportProject } from "../../app/reports/list-projects.ts";
import type { Totals } from "../../app/reports/payment-totals.ts";
import type { ScopeProject } from "../../app/reports/report-scope.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import { type PaymentState, wireStatus } from "../../core/payments/states.ts";
import type { Standing } from "../../core/reports/statement.ts";

/** A sum of many amounts: an integer where JavaScript holds it exactly, and beyond that the same digits as text. */
export function sumToJson(sum: bigint): number | string {
  const asNumber = Number(sum);
  return Number.isSafeInteger(asNumber) ? asNumber : String(sum);
}

export function projectJson({ id, name, book }: ScopeProject): object {
  return { id, name, book };
}

export function listedProjectJson({ currencies, ...project }: ReportProject): object {
  return { ...projectJson(project), currencies };
}

export function statusJson(state: PaymentState | null): object | null {
  return state === null ? null : wireStatus(state);
}

export function standingJson({ available, locked }: Standing): object {
  return { available: minorToJson(available), locked: minorToJson(locked) };
}

export function paymentJson(payment: ListedPaymentView, project: ScopeProject): object {
  const { fee, direction, amount } = payment;
  return {
    project_id: payment.projectId,
    book: project.book,
    request_id: payment.requestId,
    payment_id: payment.paymentId,
    type: direction,
    ...wireStatus(payment.state),
    status_description: payment.statusDescription,
    decline_code: payment.declineCode,
    method: payment.method,
    currency: payment.currency,
    amount: minorToJson(amount),
    requested_amount: minorToJson(payment.requestedAmount),
    received_amount: minorToJson(payment.receivedAmount),
    fee: fee === null ? null : minorToJson(fee),
    net: fee === null || direction === "payout" ? null : minorToJson((amount - fee) as Minor),
    customer_id: payment.customerId,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    finished_at: payment.finishedAt?.toISOString() ?? null,
  };
}

export function totalsJson({ count, sums }: Totals): object {
  return { count, sums: sums.map((sum) => ({ ...sum, amount: sumToJson(sum.amount) })) };
}
