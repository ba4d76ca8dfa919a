import type { Browser, ChargedCard } from "../../core/card-acquirer.ts";
import { CHARGES_PAUSED, findCardFault } from "../../core/cards/card-rules.ts";
import { cardsTaken } from "../../core/cards/cards-taken.ts";
import { type Fault, fault } from "../../core/errors.ts";
import { presentChoice } from "../../core/page/second-chance.ts";
import type { WidgetOffer } from "../../core/page/widget-offers.ts";
import { checkCreate, ratesOf } from "../../core/payments/create-rules.ts";
import { CARD_LIFETIME_S, P2P_LIFETIME_S } from "../../core/payments/timers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { ProjectMethod } from "../../store/merchants/project-methods.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { cardRowOf, newPageToken } from "../cards/card-secrets.ts";
import type { CardDesk } from "../cards/charge-card.ts";
import { needsHolder } from "../cards/choose-acquirer.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import type { ApplyPayment } from "../payments/apply-payments.ts";
import { type OfferDeps, offersFor } from "./create-widget.ts";

export type ChooseDeps = OfferDeps & {
  readonly apply: ApplyPayment;
  readonly keyring: Keyring;
  readonly cardDesk: CardDesk;
  readonly clock: Clock;
};

/** What the payer of a hosted page decided. */
export type PayerDecision =
  | { readonly kind: "p2p"; readonly code: string; readonly bank: string | undefined }
  | { readonly kind: "card"; readonly card: ChargedCard; readonly browser: Browser };

/** The payer chooses; the rules are those of a create, as they are at this moment. */
export async function chooseMethod(
  deps: ChooseDeps,
  directory: Directory,
  project: DirectoryProject,
  payment: StoredPayment,
  decision: PayerDecision,
): Promise<Result<StoredPayment, Fault>> {
  // The lifetime does not restart for a payer who chooses again: one who comes too late is not charged.
  const isOver = payment.choiceCount !== null && (payment.expiresAt?.getTime() ?? 0) <= deps.clock.nowMs();
  if (isOver) return fail(fault("wrong_state", "the time to pay is over"));
  const offer = findOffer(deps, directory, project, payment, decision);
  if (!offer.ok) return offer;
  const { terms, method } = offer.value;
  const refused = findRefusal(deps, directory, project, payment, decision, offer.value);
  if (refused !== undefined) return fail(refused);
  const pageToken = newPageToken();
  const cardRow = decision.kind === "card" ? cardRowOf(deps.keyring, payment, decision.card.pan, pageToken) : undefined;
  const { projectId, requestId } = payment;
  const chosen = await deps.apply({
    ...{ projectId, requestId, actor: "payer", detail: method },
    payin: { kind: decision.kind === "card" ? "card_chosen" : "chosen" },
    choice: {
      method,
      rates: ratesOf(terms),
      lifetimeS: decision.kind === "card" ? CARD_LIFETIME_S.standard : P2P_LIFETIME_S.standard,
      bank: decision.kind === "card" ? undefined : decision.bank,
      card: cardRow,
    },
  });
  // Another event came first: another tab, the lifetime, the merchant.
  if (!chosen.ok) return fail(fault("wrong_state", "how to pay was chosen before, or the payment is over"));
  if (decision.kind === "card") {
    const { card, browser } = decision;
    deps.cardDesk.charge({ projectId, requestId, card, browser, pageToken, ofChoice: presentChoice(chosen.value) });
  }
  return ok(chosen.value);
}

function findOffer(
  deps: OfferDeps,
  directory: Directory,
  project: DirectoryProject,
  payment: StoredPayment,
  decision: PayerDecision,
): Result<WidgetOffer<ProjectMethod>, Fault> {
  const country = payment.request.customer?.country;
  const wish = {
    currency: payment.currency,
    amount: payment.requestedAmount,
    country: typeof country === "string" ? country : undefined,
    paymentSystem: payment.request.paymentSystem,
  };
  const offers = offersFor(deps, directory, project, wish);
  // That no provider is left is the merchant's affair; the payer only learns that this way is closed.
  if (!offers.ok && offers.error.code !== "no_provider") return offers;
  const wanted = (offers.ok ? offers.value : []).find(({ code, product }) =>
    decision.kind === "card" ? product === "ecom" : product === "p2p" && code === decision.code,
  );
  return wanted === undefined ? fail(fault("method_not_enabled", "this way to pay is not available now")) : ok(wanted);
}

function findRefusal(
  deps: ChooseDeps,
  directory: Directory,
  project: DirectoryProject,
  payment: StoredPayment,
  decision: PayerDecision,
  { method, needsBank }: WidgetOffer,
): Fault | undefined {
  if (decision.kind === "card") {
    if (directory.pauses.restored) return CHARGES_PAUSED;
    if (decision.card.holder === undefined && needsHolder(deps, directory, { ...payment, method })) {
      return fault("validation_failed", "the name on the card is missing");
    }
    const named = payment.request.paymentSystem;
    const taken = cardsTaken(directory.providers, project, { direction: "payin", method }, named);
    return findCardFault(decision.card, taken, new Date(deps.clock.nowMs()));
  }
  if (needsBank && decision.bank === undefined) return fault("bank_unknown", "choose the bank that you pay from");
  const { currency, requestedAmount: amount } = payment;
  const request = { direction: "payin", method, currency, amount, bank: decision.bank, receiver: undefined } as const;
  const checked = checkCreate(request, {
    project: { ...project, status: "active" },
    banks: directory.banks,
    pausedMethods: directory.pauses.methods,
  });
  return checked.ok ? undefined : checked.error;
}
