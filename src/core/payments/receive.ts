import type { Account, ClearingAccount } from "../ledger/accounts.ts";
import type { Minor } from "../money.ts";
import { splitPayin } from "./fees.ts";
import type { Movement, PayinTerms } from "./payin.ts";

/** How money that arrived for a pay-in moves, whichever way it came. */

export type Moved = { readonly payin: Partial<PayinTerms>; readonly movements: readonly Movement[] };

/** Money that completes a payment goes to the merchant; any other waits in suspense, under the payment's name. */
export function moveReceived(
  payin: PayinTerms,
  { amount, clearing }: { readonly amount: Minor; readonly clearing: ClearingAccount },
  completes: boolean,
): Moved {
  const receivedAmount = (payin.receivedAmount + amount) as Minor;
  if (completes && payin.receivedAmount === 0n) {
    return { payin: { receivedAmount, amount }, movements: settle(clearing, payin, amount) };
  }
  const suspended: Movement = { from: clearing, to: "suspense", amount, kind: "suspend" };
  if (!completes) return { payin: { receivedAmount }, movements: [suspended] };
  return {
    payin: { receivedAmount, amount: receivedAmount },
    movements: [suspended, ...settle("suspense", payin, receivedAmount)],
  };
}

/**
 * What arrived, and waits in suspense, is settled for what it is. Where nothing was seen, an operator records the
 * requested sum against `clearing`.
 */
export function settleReceived(payin: PayinTerms, clearing: ClearingAccount | undefined): Moved {
  const { receivedAmount, requestedAmount } = payin;
  if (receivedAmount > 0n || clearing === undefined) {
    return { payin: { amount: receivedAmount }, movements: settle("suspense", payin, receivedAmount) };
  }
  return {
    payin: { receivedAmount: requestedAmount, amount: requestedAmount },
    movements: settle(clearing, payin, requestedAmount),
  };
}

function settle(from: Account, { rates }: PayinTerms, amount: Minor): Movement[] {
  const { fee, net } = splitPayin(amount, rates);
  const movements: Movement[] = [
    { from, to: "available", amount: net, kind: "settle" },
    { from, to: "fees", amount: fee, kind: "fee" },
  ];
  return movements.filter((movement) => movement.amount > 0n);
}
