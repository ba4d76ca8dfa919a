import { kindOf } from "../payments/kinds.ts";
import { isFinal, type PaymentState } from "../payments/states.ts";

/**
 * What the payer's page shows next, and what the payer may do there. All rules are here; the page draws what it is told.
 */
export type PageStep =
  /** Choose how to pay. */
  | "choose"
  /** Requisites are being found, or the card is being charged. */
  | "prepare"
  /** Send the transfer. */
  | "transfer"
  /** The time was over; money that was sent may still be counted. */
  | "overdue"
  /** Go to the issuer. */
  | "challenge"
  /** The payment is being looked for. */
  | "check"
  /** A person must look. */
  | "attention"
  | "success"
  | "decline";

/** `change`: leave this way to pay, and choose again. */
export type PageAction = "choose" | "confirm" | "cancel" | "change";

const P2P_STEPS: Partial<Record<PaymentState, PageStep>> = {
  "processing:requisites": "prepare",
  "processing:awaiting_confirm": "transfer",
  "processing:paid": "check",
  "dispute:no_payment": "overdue",
  "dispute:different_amount": "attention",
  "dispute:confirm_timeout": "attention",
};

const CARD_STEPS: Partial<Record<PaymentState, PageStep>> = {
  "processing:new": "prepare",
  "processing:awaiting_3ds_result": "challenge",
  "processing:awaiting_redirect_result": "challenge",
  "processing:paid": "check",
  "dispute:different_amount": "attention",
  "dispute:confirm_timeout": "attention",
};

type Paged = { readonly state: PaymentState; readonly method: string | null };

export function pageStepOf(payment: Paged): PageStep {
  const { state, method } = payment;
  if (isFinal(state)) return state;
  if (state === "processing:new" && method === null) return "choose";
  const steps = kindOf({ direction: "payin", method }) === "card" ? CARD_STEPS : P2P_STEPS;
  return steps[state] ?? "prepare";
}

const ACTIONS: Partial<Record<PageStep, readonly PageAction[]>> = {
  choose: ["choose", "cancel"],
  transfer: ["confirm", "cancel"],
  overdue: ["confirm"],
};

/** Steps that the payer may leave while nothing was paid: the requisites are given back, the challenge is ended at the acquirer. */
const LEFT_BY_CHANGE: ReadonlySet<PageStep> = new Set(["transfer", "challenge"]);

export function pageActionsOf(step: PageStep, { mayChange }: { readonly mayChange: boolean }): readonly PageAction[] {
  const actions = ACTIONS[step] ?? [];
  return mayChange && LEFT_BY_CHANGE.has(step) ? [...actions, "change"] : actions;
}
