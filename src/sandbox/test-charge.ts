import { randomBytes } from "node:crypto";

/** A charge as the acquirer takes it; every one has a project, so a clock, of its own. */
export type WireCharge = {
  readonly reference: string;
  readonly project_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly card: {
    readonly pan: string;
    readonly cvv: string;
    readonly card_holder: string;
    readonly expiry_month: number;
    readonly expiry_year: number;
  };
  readonly return_url: string;
  readonly expires_at: string;
};

export const LIFETIME_S = 600;
export const RETURN_URL = "https://gateway.invalid/back?a=1&amp=2";

export const CARDS = {
  approved: "4242424242424242",
  challenge: "4000000000003220",
  challenge1: "4111111111111111",
  declined: "4000000000000002",
} as const;

export function newCharge(pan: string, members: object = {}): WireCharge {
  const reference = randomBytes(16).toString("hex");
  return {
    reference,
    project_id: `p${reference.slice(1)}`,
    amount: 250_000,
    currency: "RUB",
    card: { pan, cvv: "987", card_holder: "OLGA SERGEEVA", expiry_month: 11, expiry_year: 2041 },
    return_url: RETURN_URL,
    expires_at: new Date(Date.now() + LIFETIME_S * 1000).toISOString(),
    ...members,
  };
}
