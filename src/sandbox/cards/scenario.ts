/** The card numbers that make something happen. A card that is not listed here is unknown, and is declined. */
export type CardScenario =
  | { readonly kind: "approves" }
  /** It is charged, the answer is lost, and no notification follows. */
  | { readonly kind: "approves_in_silence" }
  | { readonly kind: "declines"; readonly reason: ChargeReason }
  | { readonly kind: "challenges"; readonly version: "2.2.0" | "1.0.2" };

/** Why a charge was declined. */
export type ChargeReason =
  | "card_declined"
  | "insufficient_funds"
  | "card_expired"
  | "processing_error"
  | "authentication_failed"
  | "cancelled"
  | "expired";

const CARDS: Readonly<Record<string, CardScenario>> = {
  "4242424242424242": { kind: "approves" },
  "5555555555554444": { kind: "approves" },
  "2202208311110010": { kind: "approves" },
  "4000000000003220": { kind: "challenges", version: "2.2.0" },
  "2200111753579001": { kind: "challenges", version: "2.2.0" },
  "4111111111111111": { kind: "challenges", version: "1.0.2" },
  "4000000000000002": { kind: "declines", reason: "card_declined" },
  "4000000000009995": { kind: "declines", reason: "insufficient_funds" },
  "4000000000000069": { kind: "declines", reason: "card_expired" },
  "4000000000000119": { kind: "declines", reason: "processing_error" },
  "4100401111100062": { kind: "approves_in_silence" },
};

export const RIGHT_CODE = "1234";
export const CODES_MAX = 3;

export function cardScenario(pan: string): CardScenario {
  return CARDS[pan] ?? { kind: "declines", reason: "card_declined" };
}

/** First six and last four. */
export function maskCard(pan: string): string {
  return `${pan.slice(0, 6)}${"*".repeat(pan.length - 10)}${pan.slice(-4)}`;
}
