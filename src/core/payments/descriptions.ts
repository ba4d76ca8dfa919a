import type { PaymentKind } from "./kinds.ts";
import { isFinal, type PaymentState } from "./states.ts";

/** What a merchant reads beside the status of a decline or a dispute. */
const OF_DECLINE: Readonly<Record<string, string>> = {
  expired: "The time to pay was over.",
  cancelled: "Cancelled by the merchant.",
  no_requisites: "No requisites were available.",
  insufficient_funds: "Not enough money on the card.",
  card_expired: "The card has expired.",
  three_ds_failed: "The payer was not authenticated.",
  provider_declined: "Declined by the provider.",
  no_provider: "No provider could take the payment.",
  operator: "Declined by an operator.",
  unclaimed: "A transfer that no payment waits for.",
};

const OF_DISPUTE: Partial<Record<PaymentState, string>> = {
  "dispute:no_payment": "No transfer arrived in time; one may still arrive.",
  "dispute:different_amount": "Another amount than the requested one arrived.",
  "dispute:confirm_timeout": "The payer confirmed, and no transfer was found; an operator will look.",
  "dispute:incorrect_requisites": "The provider found the receiver's details wrong after accepting the payout.",
  "dispute:payout_failed": "The payout failed and may have left; an operator will look.",
  "dispute:payout_timeout": "The provider did not say in time what became of the payout; an operator will look.",
};

/** What differs for cards: the payer cancels on the provider's page, and no transfer is confirmed. */
const OF_CARDS: Readonly<Record<string, string>> = {
  cancelled: "The payer turned back.",
  "dispute:confirm_timeout": "The provider did not say in time what became of the charge; an operator will look.",
};

/** What the payer of a hosted page did. */
const OF_PAYER: Readonly<Record<string, string>> = { cancelled: "Cancelled by the payer." };

/** Null where the status says it all. `actor` is who made it happen, as the history names them. */
export function describeState(
  state: PaymentState,
  declineCode: string | null,
  kind: PaymentKind,
  actor?: string,
): string | null {
  const ownWords = kind === "card" ? OF_CARDS : actor === "payer" ? OF_PAYER : {};
  if (isFinal(state)) return declineCode === null ? null : (ownWords[declineCode] ?? OF_DECLINE[declineCode] ?? null);
  return ownWords[state] ?? OF_DISPUTE[state] ?? null;
}
