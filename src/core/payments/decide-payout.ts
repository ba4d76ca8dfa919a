import type { Account, ClearingAccount } from "../ledger/accounts.ts";
import type { Minor } from "../money.ts";
import type { Movement } from "./payin.ts";
import { nextPayoutState, type PayoutEvent } from "./payout-transitions.ts";
import type { PayoutState } from "./states.ts";

/** What the rules need to know of a payout. While it is not final, amount + fee are locked. */
export type Payout = {
  readonly state: PayoutState;
  readonly amount: Minor;
  readonly fee: Minor;
  /** A provider was asked to pay it. */
  readonly asked: boolean;
  /** An operator settled it as paid another way than through its provider. */
  readonly paidElsewhere: boolean;
  /** It left though it was declined or paid elsewhere, and was posted: that happens once. */
  readonly short: boolean;
};

/** Something that happened; `clearing` is the account that the money left through, where it did. */
export type PayoutHappening = { readonly kind: PayoutEvent; readonly clearing: ClearingAccount };

type PayoutDeclineCode = "provider_declined" | "no_provider" | "operator";

export type PayoutDecision =
  | { readonly kind: "refused" }
  | {
      readonly kind: "accepted";
      readonly event: PayoutEvent;
      readonly payout: Payout;
      readonly changed: boolean;
      readonly declineCode: PayoutDeclineCode | undefined;
      /** How the hold ends; undefined: it stays open. */
      readonly closeHold: "captured" | "released" | undefined;
      readonly movements: readonly Movement[];
    };

export function decidePayout(payout: Payout, happening: PayoutHappening): PayoutDecision {
  const state = nextPayoutState(payout.state, happening.kind);
  if (state === undefined) return { kind: "refused" };
  const changed = state !== payout.state;
  const closeHold = changed ? HOLD_AFTER[state] : undefined;
  return {
    kind: "accepted",
    event: happening.kind,
    payout: { ...payout, state, short: payout.short || isLateSuccess(payout, happening) },
    changed,
    declineCode: changed && state === "decline" ? declineCodeOf(payout, happening.kind) : undefined,
    closeHold,
    movements: movementsOf(payout, happening, closeHold),
  };
}

const HOLD_AFTER: Partial<Record<PayoutState, "captured" | "released">> = { success: "captured", decline: "released" };

function declineCodeOf({ asked }: Payout, event: PayoutEvent): PayoutDeclineCode {
  if (event !== "declined") return "operator";
  return asked ? "provider_declined" : "no_provider";
}

function movementsOf(
  payout: Payout,
  happening: PayoutHappening,
  closeHold: "captured" | "released" | undefined,
): Movement[] {
  const { amount, fee } = payout;
  const { clearing } = happening;
  if (closeHold === "captured")
    return [capture(clearing, amount), capture("fees", fee)].filter((each) => each.amount > 0n);
  if (closeHold === "released")
    return [{ from: "locked", to: "available", amount: (amount + fee) as Minor, kind: "release" }];
  // Its money was given back, or was paid another way, and then it also left through its provider: the house bears it.
  if (isLateSuccess(payout, happening)) return [{ from: "shortfall", to: clearing, amount, kind: "shortfall" }];
  return [];
}

function isLateSuccess({ state, paidElsewhere, short }: Payout, { kind }: PayoutHappening): boolean {
  const isUnbooked = state === "decline" || (state === "success" && paidElsewhere);
  return isUnbooked && kind === "approved" && !short;
}

function capture(to: Account, amount: Minor): Movement {
  return { from: "locked", to, amount, kind: "capture" };
}
