import type { Currency } from "../core/currency.ts";
import type { Id } from "../core/ids.ts";
import type { Minor } from "../core/money.ts";
import { kindOf } from "../core/payment/kinds.ts";
import { isFinal, type PaymentState } from "../core/payment/states.ts";
import { BY_HAND, findProviderFault, type ProviderFault } from "../core/providers.ts";
import type { Transaction } from "../store/db.ts";
import type { LockedPayment } from "../store/payments.ts";
import { findProject } from "../store/projects.ts";

/** Where money in suspense can go: to a payment that is open, to a project's balance, or back. */
export type SuspenseTarget =
  | { readonly kind: "to_payment"; readonly requestId: Id }
  | { readonly kind: "to_balance"; readonly projectId: Id }
  /** The provider that it is sent back through, or `manual`. */
  | { readonly kind: "return"; readonly through: string };

export type SuspenseFault =
  | {
      readonly kind:
        | "payment_unknown"
        | "target_unknown"
        /** Only pay-ins by transfer do. */
        | "target_takes_nothing"
        /** A charge that the provider is about to give back to the payer's card. */
        | "reversal_pending"
        | "other_book"
        | "other_currency"
        | "reference_taken"
        /** The payment that it should go to counted a transfer of this reference before. */
        | "receipt_taken"
        | "balance_limit"
        | ProviderFault;
    }
  | { readonly kind: "payment_open" | "target_final" | "target_refuses"; readonly state: PaymentState }
  | { readonly kind: "exceeds"; readonly standing: Minor; readonly currency: Currency };

/** Why the money cannot go there. `goal` is the payment that it should go to, locked. */
export async function findTargetFault(
  tx: Transaction,
  payment: LockedPayment,
  { target }: { readonly target: SuspenseTarget },
  goal: LockedPayment | undefined,
): Promise<SuspenseFault | undefined> {
  const own = await findProject(tx, payment.projectId);
  if (own === undefined) return { kind: "payment_unknown" };
  if (target.kind === "return") {
    const fault = target.through === BY_HAND ? undefined : findProviderFault(target.through, own.book);
    return fault === undefined ? undefined : { kind: fault };
  }
  const receiverId = target.kind === "to_balance" ? target.projectId : goal?.projectId;
  const receiving = receiverId === undefined ? undefined : await findProject(tx, receiverId);
  if (receiving === undefined) return { kind: "target_unknown" };
  if (receiving.book !== own.book) return { kind: "other_book" };
  return goal === undefined ? undefined : findGoalFault(payment, goal);
}

function findGoalFault(payment: LockedPayment, goal: LockedPayment): SuspenseFault | undefined {
  if (kindOf(goal) !== "transfer") return { kind: "target_takes_nothing" };
  if (goal.currency !== payment.currency) return { kind: "other_currency" };
  return isFinal(goal.state) ? { kind: "target_final", state: goal.state } : undefined;
}
