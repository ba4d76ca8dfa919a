import { type Minor, minorToJson } from "../money.ts";
import { type PaymentState, wireStatus } from "../payments/states.ts";

/** What a callback says of a payment. Requisites and integration are added when it is sent. */
export type CallbackSubject = {
  readonly projectId: string;
  readonly requestId: string;
  readonly paymentId: string;
  readonly direction: "payin" | "payout";
  readonly state: PaymentState;
  readonly statusDescription: string | null;
  readonly declineCode: string | null;
  readonly method: string | null;
  readonly amount: Minor;
  readonly requestedAmount: Minor;
  readonly receivedAmount: Minor;
  readonly currency: string;
  readonly fee: Minor | null;
};

export type CallbackEvent = { readonly id: string; readonly sequence: number; readonly createdAt: Date };

export function callbackBody(subject: CallbackSubject, event: CallbackEvent): object {
  return {
    project_id: subject.projectId,
    general: { request_id: subject.requestId, payment_id: subject.paymentId },
    status: {
      ...wireStatus(subject.state),
      status_description: subject.statusDescription,
      decline_code: subject.declineCode,
    },
    payment_info: { type: subject.direction, ...paymentTerms(subject) },
    event: { id: event.id, sequence: event.sequence, created_at: event.createdAt.toISOString() },
  };
}

/**
 * The sums and the method, as the payment object and the callback show them. Members that do not apply are undefined, so
 * that JSON leaves them out.
 */
export function paymentTerms(subject: CallbackSubject): object {
  const { receivedAmount } = subject;
  // Rows that an earlier version ended before the payer had chosen hold a fee of zero.
  const fee = subject.method === null ? null : subject.fee;
  const hasNet = fee !== null && subject.direction === "payin";
  return {
    method: subject.method ?? undefined,
    amount: minorToJson(subject.amount),
    requested_amount: minorToJson(subject.requestedAmount),
    received_amount: receivedAmount > 0n ? minorToJson(receivedAmount) : undefined,
    currency: subject.currency,
    fee: fee === null ? undefined : minorToJson(fee),
    net: hasNet ? minorToJson((subject.amount - fee) as Minor) : undefined,
  };
}
