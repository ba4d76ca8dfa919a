import type { Direction } from "../../core/merchants/methods.ts";
import { ZERO } from "../../core/money.ts";
import type { ClaimedPayment } from "../../store/payments/claims.ts";
import type { NewPayin, NewPayout } from "../../store/payments/create-payments.ts";
import { handedLease } from "./queue-after.ts";

type Creation = { readonly createdAt: Date; readonly expiresAt: Date | null };

/** A payment as it is stored when it was created just now, with a lease. What is not known here, the worker does not read. */
export function newlyCreated(
  payment: NewPayin | NewPayout,
  direction: Direction,
  { createdAt, expiresAt }: Creation,
): ClaimedPayment {
  const sentTo = "sentTo" in payment ? payment.sentTo : undefined;
  return {
    projectId: payment.projectId,
    requestId: payment.requestId,
    direction,
    product: payment.product,
    paymentId: payment.paymentId,
    state: "processing:new",
    sequence: 1,
    method: payment.method,
    currency: payment.currency,
    requestedAmount: payment.amount,
    amount: payment.amount,
    receivedAmount: ZERO,
    feeBp: payment.rates?.basisPoints ?? null,
    feeFixed: payment.rates?.fixed ?? null,
    fee: payment.fee,
    customerId: payment.customerId,
    request: payment.request,
    receiver: "receiver" in payment ? payment.receiver : null,
    attemptCount: sentTo === undefined ? 0 : 1,
    choiceCount: null,
    tries: 0,
    expiresAt,
    deadlineAt: expiresAt,
    createdAt,
    updatedAt: createdAt,
    ...NOTHING_HAPPENED,
    provider: sentTo?.provider ?? null,
    reference: sentTo?.reference ?? null,
    now: createdAt,
    leaseUntil: handedLease(createdAt),
  };
}

const NOTHING_HAPPENED = {
  declineCode: null,
  statusDescription: null,
  requisites: null,
  confirmedAt: null,
  confirmTold: false,
  releasedAt: null,
  unknownSince: null,
  shortfallAt: null,
  unprovenEnd: null,
  contradictedAt: null,
  countedOn: null,
  finishedAt: null,
} as const;
