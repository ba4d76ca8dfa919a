import type { CardPayinEvent } from "../cards/card-transitions.ts";
import type { P2pPayinEvent } from "../payments/payin-transitions.ts";
import type { CardPayinState, P2pPayinState } from "../payments/states.ts";

/**
 * The events by which a payer's choice is certainly over, so that a new one cannot be charged beside it. On a hosted page they lead
 * back to `processing:new`, where the payer chooses again; where no chance is left, they end the payment as they always did.
 */
export const P2P_CHANCES: Partial<Record<P2pPayinState, readonly P2pPayinEvent[]>> = {
  "processing:requisites": ["no_requisites"],
  "processing:awaiting_confirm": ["provider_declined", "left"],
};

const CERTAINLY_NOT_CHARGED = ["declined", "never_seen"] as const;

export const CARD_CHANCES: Partial<Record<CardPayinState, readonly CardPayinEvent[]>> = {
  "processing:new": CERTAINLY_NOT_CHARGED,
  "processing:awaiting_3ds_result": CERTAINLY_NOT_CHARGED,
  "processing:awaiting_redirect_result": CERTAINLY_NOT_CHARGED,
  "processing:paid": CERTAINLY_NOT_CHARGED,
};

/** Less time than this is not enough to choose again and to pay. */
export const CHANCE_TAKES_S = 60;

type Chosen = {
  readonly product: string;
  /** How often the payer has chosen. */
  readonly choiceCount: number | null;
  readonly expiresAt: Date | null;
};

/** How often the payer of a hosted page may still choose, if the present choice comes to nothing now. */
export function chancesLeft({ product, choiceCount, expiresAt }: Chosen, payerAttempts: number, nowMs: number): number {
  if (product !== "widget" || choiceCount === null || expiresAt === null) return 0;
  if (expiresAt.getTime() - nowMs < CHANCE_TAKES_S * 1000) return 0;
  return Math.max(payerAttempts - choiceCount, 0);
}

/** The number of the choice that a payment runs on; 0: it is no hosted page's, or the payer has not chosen, or must choose again. */
export function presentChoice(payment: {
  readonly method: string | null;
  readonly choiceCount: number | null;
}): number {
  return payment.method === null ? 0 : (payment.choiceCount ?? 0);
}
