import type { Id } from "../../core/ids.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { hintByReference } from "../../store/payments/claims.ts";
import { lockPayments, type PaymentKey, type StoredPayment } from "../../store/payments/payments.ts";
import { findPaymentKey } from "../../store/payments/read-payments.ts";
import { findLeavingObstacle, type HandPayoutEnd } from "../core/hand-payout.ts";
import { endHandPayout, findHandPayoutOf, lockHandPayout, type StoredHandPayout } from "../store/hand-payouts.ts";

/**
 * An operator says that a payout was not made. `declined`: certainly not, so that another provider may be asked, or the
 * merchant gets the money back; the others are disputes, and the money stays locked.
 */
export type FailPayout = {
  readonly requestId: Id;
  readonly outcome: Exclude<HandPayoutEnd, "approved">;
  readonly reason: string;
  /** The operator made sure that it was not paid, though it was exported. */
  readonly certain: boolean;
  readonly actor: string;
};

/** `changed` is false when just this was said before. */
export type FailedPayout = { readonly payment: StoredPayment; readonly changed: boolean };

export type FailFault =
  | { readonly kind: "payment_unknown" | "not_by_hand" | "completed" | "declined_before" }
  | { readonly kind: "handed_out"; readonly payout: StoredHandPayout }
  /** It has ended, or another provider has it. */
  | { readonly kind: "not_waiting"; readonly payment: StoredPayment };

export async function failPayout(db: Database, command: FailPayout): Promise<Result<FailedPayout, FailFault>> {
  const key = await findPaymentKey(db, command.requestId);
  if (key === undefined) return fail({ kind: "payment_unknown" });
  return db.transaction((tx) => failInTransaction(tx, key, command));
}

/** The worker is told, and takes it from there as with any provider. */
async function failInTransaction(
  tx: Transaction,
  key: PaymentKey,
  command: FailPayout,
): Promise<Result<FailedPayout, FailFault>> {
  const [payment] = await lockPayments(tx, [key]);
  if (payment === undefined) return fail({ kind: "payment_unknown" });
  const found = await findHandPayoutOf(tx, key);
  const payout = found === undefined ? undefined : await lockHandPayout(tx, found.reference);
  if (payout === undefined) return fail({ kind: "not_by_hand" });
  if (payout.outcome === "approved") return fail({ kind: "completed" });
  if (payout.outcome === command.outcome) return ok({ payment, changed: false });
  const fault = findFault(payout, payment, command);
  if (fault !== undefined) return fail(fault);
  const { reference } = payout;
  const { outcome, reason, actor } = command;
  await endHandPayout(tx, { reference, outcome, reason, actor, accountId: null });
  await hintByReference(tx, [{ provider: POOL_PROVIDER, reference }]);
  return ok({ payment, changed: true });
}

function findFault(payout: StoredHandPayout, payment: StoredPayment, command: FailPayout): FailFault | undefined {
  if (payment.state === "decline" || findLeavingObstacle(payout, payment) !== undefined)
    return { kind: "not_waiting", payment };
  // Another provider may have been asked by now: what was certain cannot become uncertain.
  if (payout.outcome === "declined") return { kind: "declined_before" };
  // The operator who exported it may have paid it.
  const mayBePaid = payout.exportedAt !== null || payout.outcome !== null;
  return command.outcome === "declined" && mayBePaid && !command.certain ? { kind: "handed_out", payout } : undefined;
}
