import { type CallbackSubject, paymentTerms } from "../callbacks/body.ts";
import type { Requisites } from "../connector.ts";
import type { Currency } from "../currency.ts";
import { payerAttempts, type ShownChoice } from "../page/payer-attempts.ts";
import { maskRequisites, wireRequisites } from "./requisites-text.ts";
import { isFinal, wireStatus } from "./states.ts";

/** What merchants may know of a payment. */
export type ViewedPayment = CallbackSubject & {
  readonly currency: Currency;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date | null;
  readonly finishedAt: Date | null;
};

/** What only some payments have: where to pay to, a card, or where the payer goes on. */
export type PaymentParts = {
  readonly requisites?: Requisites | undefined;
  readonly card?: { readonly mask: string; readonly brand: string } | undefined;
  readonly integration?: object | undefined;
  /** Of a hosted page's payer. */
  readonly choices?: readonly ShownChoice[] | null | undefined;
};

/**
 * The flat object that every payment call answers. Status fields are always there; others are undefined where they do not
 * apply, so that JSON leaves them out.
 */
export function paymentObject(payment: ViewedPayment, parts: PaymentParts): object {
  const { requisites, card, integration, choices } = parts;
  const { status, sub_status } = wireStatus(payment.state);
  const createdAt = payment.createdAt.toISOString();
  return {
    project_id: payment.projectId,
    payment_id: payment.paymentId,
    request_id: payment.requestId,
    type: payment.direction,
    status,
    sub_status,
    status_description: payment.statusDescription,
    decline_code: payment.declineCode,
    payment: paymentTerms(payment),
    requisites: requisites && shownRequisites(payment, requisites),
    card: card && { pan: card.mask, brand: card.brand },
    integration,
    attempts: payerAttempts(payment.state, choices),
    created_at: createdAt,
    // Of a payment that was just created they are one and the same.
    updated_at: payment.updatedAt === payment.createdAt ? createdAt : payment.updatedAt.toISOString(),
    expires_at: payment.expiresAt?.toISOString(),
    finished_at: payment.finishedAt?.toISOString() ?? null,
  };
}

/** In full while the payer is to pay to them, and masked once the payment is over. */
export function shownRequisites(
  payment: Pick<ViewedPayment, "state" | "requestedAmount" | "currency">,
  requisites: Requisites,
): object {
  const shown = isFinal(payment.state) ? maskRequisites(requisites) : requisites;
  return wireRequisites(shown, payment.requestedAmount, payment.currency);
}
