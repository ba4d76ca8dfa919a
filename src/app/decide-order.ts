import { type Minor, ZERO } from "../core/money.ts";
import { decidePayin, type Movement, type PayinHappening } from "../core/payment/decide-payin.ts";
import { decidePayout, type PayoutHappening } from "../core/payment/decide-payout.ts";
import { splitPayin } from "../core/payment/fees.ts";
import type { P2pPayinState, PaymentState, PayoutState } from "../core/payment/states.ts";
import type { StoredPayment } from "../store/payments.ts";

/** Something that happened to a payment of either direction. */
export type Happening = { readonly payin: PayinHappening } | { readonly payout: PayoutHappening };

/** What was decided, in the terms that every kind of payment shares. */
export type Outcome = {
  readonly event: string;
  readonly state: PaymentState;
  readonly changed: boolean;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly fee: Minor | null;
  readonly confirmed: boolean;
  readonly short: boolean;
  readonly declineCode: string | undefined;
  readonly closeHold: "captured" | "released" | undefined;
  readonly movements: readonly Movement[];
};

/** Undefined: it may not happen now. */
export function decideOrder(payment: StoredPayment, happening: Happening): Outcome | undefined {
  return "payin" in happening ? ofPayin(payment, happening.payin) : ofPayout(payment, happening.payout);
}

function ofPayin(payment: StoredPayment, happening: PayinHappening): Outcome | undefined {
  const decision = decidePayin(
    {
      state: payment.state as P2pPayinState,
      requestedAmount: payment.requestedAmount,
      amount: payment.amount,
      receivedAmount: payment.receivedAmount,
      rates: { basisPoints: payment.feeBp ?? 0, fixed: payment.feeFixed ?? ZERO },
      confirmed: payment.confirmedAt !== null,
    },
    happening,
  );
  if (decision.kind === "refused") return undefined;
  const { payin, event, changed, declineCode, movements } = decision;
  const { fee } = splitPayin(payin.amount, payin.rates);
  return { ...payin, event, changed, declineCode, movements, fee, short: false, closeHold: undefined };
}

function ofPayout(payment: StoredPayment, happening: PayoutHappening): Outcome | undefined {
  const decision = decidePayout(
    {
      state: payment.state as PayoutState,
      amount: payment.amount,
      fee: payment.fee ?? ZERO,
      short: payment.shortfallAt !== null,
    },
    happening,
  );
  if (decision.kind === "refused") return undefined;
  const { payout, event, changed, declineCode, movements, closeHold } = decision;
  return { ...payout, event, changed, declineCode, movements, closeHold, receivedAmount: ZERO, confirmed: false };
}

export function nameOfHappening(happening: Happening): string {
  return "payin" in happening ? happening.payin.kind : happening.payout.kind;
}
