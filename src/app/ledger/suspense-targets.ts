import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import {
  accountOfWay,
  BY_HAND,
  findProviderFault,
  POOL_PROVIDER,
  type ProviderCatalog,
  type ProviderFault,
} from "../../core/providers.ts";
import type { Transaction } from "../../store/db.ts";
import { findProject } from "../../store/merchants/projects.ts";
import type { LockedPayment } from "../../store/payments/payments.ts";
import { readProviderCatalog } from "../providers/provider-catalog.ts";
import type { SendingAccount } from "./account-lines.ts";

/** Where money in suspense can go: to a payment that is open, to a project's balance, or back. */
export type SuspenseTarget =
  | { readonly kind: "to_payment"; readonly requestId: Id }
  | { readonly kind: "to_balance"; readonly projectId: Id }
  /** The provider that it is sent back through, a receiving account as `pool-CODE`, or `manual`. */
  | { readonly kind: "return"; readonly through: string };

/** The same as an operator says it. */
export type SuspenseWish =
  | Exclude<SuspenseTarget, { kind: "return" }>
  /** Left out: the way by which the money came. */
  | { readonly kind: "return"; readonly through: string | undefined };

export type SuspenseFault =
  | {
      readonly kind:
        | "payment_unknown"
        | "target_unknown"
        /** Only P2P pay-ins do. */
        | "target_takes_nothing"
        /** A charge that the provider is about to give back to the payer's card. */
        | "reversal_pending"
        | "other_book"
        | "other_currency"
        | "reference_taken"
        /** The payment that it should go to counted a receipt of this reference before. */
        | "receipt_taken"
        | "balance_limit"
        /** The receiving account that it should be sent back from. */
        | "account_unknown"
        | "account_of_other_currency"
        /** Its bank's reference names another bank line. */
        | "line_taken"
        | ProviderFault;
    }
  /** It came by several ways, or no one can tell: which way it went back must be named. */
  | { readonly kind: "way_unclear"; readonly ways: readonly string[] }
  | { readonly kind: "payment_open" | "target_final" | "target_refuses"; readonly state: PaymentState }
  | { readonly kind: "exceeds"; readonly standing: Minor; readonly currency: Currency };

/** The payment that it should go to, locked, or the receiving account that it should be sent back from. */
export type TargetParts = {
  readonly goal: LockedPayment | undefined;
  readonly account: SendingAccount | undefined;
};

/** Why the money cannot go there. */
export async function findTargetFault(
  tx: Transaction,
  payment: LockedPayment,
  { target }: { readonly target: SuspenseTarget },
  { goal, account }: TargetParts,
): Promise<SuspenseFault | undefined> {
  const own = await findProject(tx, payment.projectId);
  if (own === undefined) return { kind: "payment_unknown" };
  if (target.kind === "return") {
    return findReturnFault(await readProviderCatalog(tx), payment, target.through, own.book, account);
  }
  const receiverId = target.kind === "to_balance" ? target.projectId : goal?.projectId;
  const receiving = receiverId === undefined ? undefined : await findProject(tx, receiverId);
  if (receiving === undefined) return { kind: "target_unknown" };
  if (receiving.book !== own.book) return { kind: "other_book" };
  return goal === undefined ? undefined : findGoalFault(payment, goal);
}

function findReturnFault(
  catalog: ProviderCatalog,
  payment: LockedPayment,
  through: string,
  book: Book,
  account: SendingAccount | undefined,
): SuspenseFault | undefined {
  if (through === BY_HAND) return undefined;
  // The accounts together have no books: one of them must be named.
  if (through === POOL_PROVIDER) return { kind: "account_unknown" };
  if (accountOfWay(through) === undefined) {
    const fault = findProviderFault(catalog, through, book);
    return fault === undefined ? undefined : { kind: fault };
  }
  if (account === undefined) return { kind: "account_unknown" };
  if (account.book !== book) return { kind: "other_book" };
  return account.currency === payment.currency ? undefined : { kind: "account_of_other_currency" };
}

function findGoalFault(payment: LockedPayment, goal: LockedPayment): SuspenseFault | undefined {
  if (kindOf(goal) !== "p2p") return { kind: "target_takes_nothing" };
  if (goal.currency !== payment.currency) return { kind: "other_currency" };
  return isFinal(goal.state) ? { kind: "target_final", state: goal.state } : undefined;
}
