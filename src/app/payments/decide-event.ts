import { type CardHappening, decideCard } from "../../core/cards/decide-card.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import { type Minor, ZERO } from "../../core/money.ts";
import { chancesLeft } from "../../core/page/second-chance.ts";
import { decidePayin, type PayinHappening } from "../../core/payments/decide-payin.ts";
import { decidePayout, type PayoutHappening } from "../../core/payments/decide-payout.ts";
import { splitPayin } from "../../core/payments/fees.ts";
import type { PaymentKind } from "../../core/payments/kinds.ts";
import type { Movement, PayinTerms } from "../../core/payments/payin.ts";
import type { CardPayinState, P2pPayinState, PaymentState, PayoutState } from "../../core/payments/states.ts";
import type { LockedPayment, StoredPayment } from "../../store/payments/payments.ts";

/** Something that happened to a payment of either direction. */
export type Happening =
  | { readonly payin: PayinHappening }
  | { readonly card: CardHappening }
  | { readonly payout: PayoutHappening };

/** Which machine it can happen on. */
export function kindOfHappening(happening: Happening): PaymentKind {
  if ("payin" in happening) return "p2p";
  return "card" in happening ? "card" : "payout";
}

/** What was decided, in the terms that every kind of payment shares. */
export type Outcome = {
  readonly event: string;
  readonly state: PaymentState;
  readonly changed: boolean;
  /** The payer of a hosted page chooses again; the decline code is that of the choice, not of the payment. */
  readonly endsChoice: boolean;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly fee: Minor | null;
  readonly confirmed: boolean;
  readonly short: boolean;
  readonly reversed: boolean;
  readonly declineCode: string | undefined;
  readonly closeHold: "captured" | "released" | undefined;
  readonly movements: readonly Movement[];
};

/** A payment whose row is locked, with the moment at which it is decided about. */
export type DecidedPayment = StoredPayment & Pick<LockedPayment, "now" | "payerAttempts">;

/** Undefined: it may not happen now. */
export function decideEvent(payment: DecidedPayment, happening: Happening): Outcome | undefined {
  if ("payin" in happening) return ofPayin(payment, happening.payin);
  return "card" in happening ? ofCard(payment, happening.card) : ofPayout(payment, happening.payout);
}

function ofPayin(payment: DecidedPayment, happening: PayinHappening): Outcome | undefined {
  const decision = decidePayin(
    {
      ...termsOf(payment),
      state: payment.state as P2pPayinState,
      confirmed: payment.confirmedAt !== null,
      mayChooseAgain: mayChooseAgain(payment),
    },
    happening,
  );
  if (decision.kind === "refused") return undefined;
  const { payin, event, changed, endsChoice, declineCode, movements } = decision;
  // Before the payer of a hosted page has chosen there are no rates, so there is no fee.
  const fee = payment.feeBp === null ? payment.fee : splitPayin(payin.amount, payin.rates).fee;
  return { ...payin, event, changed, endsChoice, declineCode, movements, fee, ...NOT_OF_PAYINS, reversed: false };
}

function ofCard(payment: DecidedPayment, happening: CardHappening): Outcome | undefined {
  const decision = decideCard(
    {
      ...termsOf(payment),
      state: payment.state as CardPayinState,
      sent: payment.reference !== null,
      reversed: payment.releasedAt !== null,
      mayChooseAgain: mayChooseAgain(payment),
    },
    happening,
  );
  if (decision.kind === "refused") return undefined;
  const { payin, event, changed, endsChoice, declineCode, movements } = decision;
  const { fee } = splitPayin(payin.amount, payin.rates);
  return { ...payin, event, changed, endsChoice, declineCode, movements, fee, ...NOT_OF_PAYINS, confirmed: false };
}

const NOT_OF_PAYINS = { short: false, closeHold: undefined } as const;

function mayChooseAgain(payment: DecidedPayment): boolean {
  return chancesLeft(payment, payment.payerAttempts, payment.now.getTime()) > 0;
}

function termsOf(payment: StoredPayment): PayinTerms {
  const { requestedAmount, amount, receivedAmount } = payment;
  const rates = { basisPoints: payment.feeBp ?? 0, fixed: payment.feeFixed ?? ZERO };
  return { requestedAmount, amount, receivedAmount, rates };
}

function ofPayout(payment: StoredPayment, happening: PayoutHappening): Outcome | undefined {
  const decision = decidePayout(
    {
      state: payment.state as PayoutState,
      amount: payment.amount,
      fee: payment.fee ?? ZERO,
      asked: payment.attemptCount > 0,
      paidElsewhere: payment.unprovenEnd === "elsewhere",
      short: payment.shortfallAt !== null,
    },
    happening,
  );
  if (decision.kind === "refused") return undefined;
  const { payout, event, changed, declineCode, movements, closeHold } = decision;
  const none = { receivedAmount: ZERO, confirmed: false, reversed: false, endsChoice: false };
  return { ...payout, event, changed, declineCode, movements, closeHold, ...none };
}

/** The clearing account that an operator's settlement names. */
export function settledThrough(happening: Happening): ClearingAccount | undefined {
  const settled = "payin" in happening ? happening.payin : "card" in happening ? happening.card : happening.payout;
  return settled.kind === "operator_settled" ? settled.clearing : undefined;
}

export function nameOfHappening(happening: Happening): string {
  if ("payin" in happening) return happening.payin.kind;
  return "card" in happening ? happening.card.kind : happening.payout.kind;
}
