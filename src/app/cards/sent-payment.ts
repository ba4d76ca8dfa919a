import { ZERO } from "../../core/money.ts";
import type { NewPayin, SentTo } from "../../store/payments/create-payments.ts";
import type { Directory } from "../merchants/directory.ts";
import { attemptReference } from "../payments/attempt-reference.ts";
import type { SentPayment } from "./charge-card.ts";
import { type AcquirerDeps, chooseAcquirer } from "./choose-acquirer.ts";

/** A pay-in by card that is created together with its first attempt, which is the only one that a card has. */
const FIRST_ATTEMPT = 1;

/** Who is to charge it, and under which reference. */
export function findSentTo(
  deps: AcquirerDeps,
  directory: Directory,
  payment: NewPayin,
  pan: string,
): SentTo | undefined {
  const acquirer = chooseAcquirer(deps, directory, payment, pan);
  if (acquirer === undefined) return undefined;
  const { projectId, paymentId } = payment;
  const reference = attemptReference({ projectId, paymentId, direction: "payin" }, FIRST_ATTEMPT);
  return { provider: acquirer.code, reference, reasons: acquirer.reasons };
}

/** What is stored of it once it is committed, so that it need not be read. */
export function sentPayment(
  payment: NewPayin,
  { provider, reference }: SentTo,
  { createdAt, expiresAt }: Pick<SentPayment, "createdAt" | "expiresAt">,
): SentPayment {
  return {
    projectId: payment.projectId,
    requestId: payment.requestId,
    direction: "payin",
    method: payment.method,
    state: "processing:new",
    provider,
    reference,
    requestedAmount: payment.amount,
    receivedAmount: ZERO,
    currency: payment.currency,
    createdAt,
    expiresAt,
    customerId: payment.customerId,
    request: payment.request,
    confirmedAt: null,
    confirmTold: false,
    releasedAt: null,
    choiceCount: null,
  };
}
