import type { Card, ThreeDsResult } from "./contract-requests.ts";
import { TillgateError } from "./errors.ts";
import type { EcomPayinRequest, EcomPayoutRequest } from "./requests.ts";

const PAN = /^[0-9]{12,19}$/;
const CVV = /^[0-9]{3,4}$/;
const HOLDER_LENGTHS = { min: 2, max: 64 };
const MONTHS = { min: 1, max: 12 };
const YEARS = { min: 1000, max: 9999 };
const LIFETIME_S = { min: 300, max: 600 };

/**
 * A card that cannot be one does not leave the program, and a lifetime that only transfers may have is told at once. No
 * sentence repeats what was given, since it may be most of a card. Whether the card is a good one is the service's to say.
 */
export function requireEcomPayin({ card, payment }: EcomPayinRequest): void {
  requireCard(card);
  const lifetime = payment?.lifetime;
  if (lifetime !== undefined && !isWholeWithin(lifetime, LIFETIME_S)) {
    throw unsendable(`payment.lifetime of a card must be whole seconds from ${LIFETIME_S.min} to ${LIFETIME_S.max}`);
  }
}

export function requireEcomPayout({ receiver }: EcomPayoutRequest): void {
  requirePan("receiver.pan", receiver?.pan);
}

function requireCard(card: Card): void {
  if (typeof card !== "object" || card === null) throw unsendable("card must be an object");
  requirePan("card.pan", card.pan);
  if (!isText(card.cvv) || !CVV.test(card.cvv)) throw unsendable("card.cvv must be a text of 3 or 4 digits");
  const holderLength = isText(card.card_holder) ? [...card.card_holder].length : 0;
  if (holderLength < HOLDER_LENGTHS.min || holderLength > HOLDER_LENGTHS.max) {
    throw unsendable(`card.card_holder must be a text of ${HOLDER_LENGTHS.min} to ${HOLDER_LENGTHS.max} characters`);
  }
  if (!isWholeWithin(card.expiry_month, MONTHS)) throw unsendable("card.expiry_month must be a number from 1 to 12");
  if (!isWholeWithin(card.expiry_year, YEARS)) throw unsendable("card.expiry_year must be a number of four digits");
}

function requirePan(name: string, pan: unknown): void {
  if (isText(pan) && PAN.test(pan)) return;
  throw unsendable(`${name} must be a text of 12 to 19 digits, without spaces or dashes`);
}

/** The members that are sent, and no others that the browser may have brought beside them. */
export function requireThreeDsResult(result: ThreeDsResult): ThreeDsResult {
  const { cres, pa_res, md } = Object(result) as Partial<Record<"cres" | "pa_res" | "md", unknown>>;
  if (isFilled(cres) && pa_res === undefined && md === undefined) return { cres };
  if (isFilled(pa_res) && isFilled(md) && cres === undefined) return { pa_res, md };
  throw unsendable("a result of 3-D Secure is either cres, or pa_res and md, as the browser brought them");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isFilled(value: unknown): value is string {
  return isText(value) && value !== "";
}

function isWholeWithin(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function unsendable(what: string): TillgateError {
  return new TillgateError(`${what}; nothing was sent`);
}
