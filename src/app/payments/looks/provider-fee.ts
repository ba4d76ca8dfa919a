import { AMOUNT_MAX, type Minor } from "../../../core/money.ts";
import { newId } from "../../../platform/new-id.ts";
import { lockPayments, type StoredPayment } from "../../../store/payments/payments.ts";
import { findProviderFee, noteProviderFees } from "../../../store/payments/provider-fees.ts";
import type { JobDeps } from "../look.ts";
import type { PaymentEvent } from "../payment-event.ts";

/** What a provider says that it keeps for itself of a request. */
export type SaidFee = {
  /** The reference that the provider was asked about: the payment may have another one by now. */
  readonly reference: string | null;
  readonly fee: Minor | undefined;
  /** The most that it can be: all of the money that came; for a payout, whose fee comes on top, what any amount can be. */
  readonly feeMax: Minor;
};

/** What goes into the commit of the money that it belongs to. */
export function withFee(said: SaidFee): Pick<PaymentEvent, "providerFee"> {
  const { reference, fee } = said;
  return reference !== null && fee !== undefined && isPossible(said) ? { providerFee: { reference, fee } } : {};
}

function isPossible({ fee, feeMax }: SaidFee): boolean {
  return fee !== undefined && fee >= 0n && fee <= feeMax && fee <= AMOUNT_MAX;
}

/**
 * After the money was counted, whatever counted it: an operator may have settled the payment before its provider said what it keeps.
 * A fee that cannot be is not posted. The log says so, and the payment is marked as contradicted, which `attention` names.
 */
export async function noteFee<P extends StoredPayment>(
  deps: Pick<JobDeps, "db" | "log">,
  payment: P,
  said: SaidFee,
  contradict: (detail: string) => Promise<P>,
): Promise<P> {
  const { projectId, requestId, provider } = payment;
  const { reference, fee } = said;
  if (fee === undefined || reference === null) return payment;
  if (!isPossible(said)) {
    if (payment.contradictedAt !== null || payment.state !== "success") return payment;
    deps.log.error({ request_id: requestId, provider, fee: String(fee) }, "the provider names a fee that cannot be");
    return contradict(`the provider says that it keeps ${fee}, which cannot be: no cost was posted`);
  }
  if ((await findProviderFee(deps.db, { projectId, requestId, reference })) !== null) return payment;
  await deps.db.transaction(async (tx) => {
    await lockPayments(tx, [{ projectId, requestId }]);
    await noteProviderFees(tx, [{ projectId, requestId, reference, fee, transferId: newId() }]);
  });
  return payment;
}
