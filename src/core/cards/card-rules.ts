import { type Fault, fault } from "../errors.ts";
import { type CardDetails, type CardFault, listCardFaults } from "./card.ts";
import type { CardsTaken } from "./cards-taken.ts";
import { findTestCardBehaviour } from "./test-cards.ts";

/** What is wrong with the card of a pay-in, in a sentence that never repeats its number or CVV. */
export function findCardFault(card: CardDetails, taken: CardsTaken, now: Date): Fault | undefined {
  const [first] = listCardFaults(card, now);
  if (first !== undefined) return fault("card_invalid", describeCardFault(first, "card"));
  const isTestCard = findTestCardBehaviour(card.pan) !== undefined;
  if (taken === "test" && !isTestCard) {
    return fault("card_invalid", "card.pan must be one of the sandbox's cards, since this is a test project");
  }
  if (taken === "live" && isTestCard) {
    return fault("test_card_on_live_project", "card.pan is a card of the sandbox, and this is a live project");
  }
  return undefined;
}

/** `block` is the member of the request that holds the card. */
export function describeCardFault(found: CardFault, block: "card" | "receiver"): string {
  if (found.field === "cvv") return "card.cvv has the wrong number of digits for this card";
  switch (found.code) {
    case "not_digits":
      return `${block}.pan must have 12 to 19 digits`;
    case "check_digit":
      return `${block}.pan is mistyped: its check digit does not fit`;
    case "brand_unknown":
      return `${block}.pan is of no brand that is known here, or of a wrong length for its brand`;
    case "over":
      return "the card has expired";
    case "not_a_month":
      return "card.expiry_month and card.expiry_year must name a month";
  }
}

/** While a restored backup is not checked: a card cannot wait, and the same request may be sent again later. */
export const CHARGES_PAUSED: Fault = {
  ...fault("unavailable", "card payments are paused while the operator checks the system; try again later"),
  retryAfterS: 60,
};
