import { isFinal, type PaymentState } from "../../core/payments/states.ts";

/** A pay-in that an account was lent to when the line may have been booked. */
export type Holder = {
  readonly projectId: string;
  readonly requestId: string;
  /** Its payer was shown the account before the booking; a payer who was not cannot have paid. */
  readonly isShown: boolean;
  /** As it is now. */
  readonly state: PaymentState;
};

/**
 * Whose money a bank line is.
 * `exact`: the pay-in that its sum was reserved for, and that still runs; `ended`: the same, but it has ended, so that the
 * money waits under it; `other_amount`: the only pay-in on the account, which runs, and for which another sum came;
 * `unclaimed`: no pay-in matches.
 */
export type Match<H extends Holder> =
  | { readonly kind: "exact" | "ended" | "other_amount"; readonly holder: H }
  | { readonly kind: "unclaimed" };

/**
 * `bySum` are those that the very sum was reserved for, `onAccount` all that held the account, both lent before the
 * booking and not later than their quarantine. A date without a time can name several, and then none is chosen: rather
 * money in suspense than on a stranger's payment.
 */
export function matchLine<H extends Holder>(bySum: readonly H[], onAccount: readonly H[]): Match<H> {
  const [exact] = bySum;
  if (exact !== undefined && bySum.length === 1 && exact.isShown) {
    return { kind: isFinal(exact.state) ? "ended" : "exact", holder: exact };
  }
  const [only] = onAccount;
  const isOnly = bySum.length === 0 && onAccount.length === 1 && only !== undefined;
  if (isOnly && only.isShown && !isFinal(only.state)) return { kind: "other_amount", holder: only };
  return { kind: "unclaimed" };
}
