import { passesLuhn } from "./luhn.ts";

/** What a card's number alone reveals. */
export type CardBrand = "visa" | "mastercard" | "mir" | "unionpay" | "amex" | "maestro" | "humo" | "uzcard";

export type CardDetails = {
  readonly pan: string;
  readonly cvv: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
};

export type CardFault =
  | { readonly field: "pan"; readonly code: "not_digits" | "check_digit" | "brand_unknown" }
  | { readonly field: "cvv"; readonly code: "length" }
  | { readonly field: "expiry"; readonly code: "not_a_month" | "over" };

type PrefixRow = {
  readonly brand: CardBrand;
  /** Both ends are of the same length and belong to the range. */
  readonly from: string;
  readonly to: string;
  readonly lengths: readonly number[];
};

const SIXTEEN = [16];
const TWELVE_TO_NINETEEN = [12, 13, 14, 15, 16, 17, 18, 19];
const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19];

/** The first row that fits decides, so narrower ranges stand above the wider ones that hold them. */
const PREFIXES: readonly PrefixRow[] = [
  { brand: "uzcard", from: "8600", to: "8600", lengths: SIXTEEN },
  { brand: "uzcard", from: "5614", to: "5614", lengths: SIXTEEN },
  { brand: "humo", from: "9860", to: "9860", lengths: SIXTEEN },
  { brand: "mir", from: "2200", to: "2204", lengths: SIXTEEN_TO_NINETEEN },
  { brand: "mastercard", from: "2221", to: "2720", lengths: SIXTEEN },
  { brand: "amex", from: "34", to: "34", lengths: [15] },
  { brand: "amex", from: "37", to: "37", lengths: [15] },
  { brand: "visa", from: "4", to: "4", lengths: [13, 16, 19] },
  { brand: "mastercard", from: "51", to: "55", lengths: SIXTEEN },
  { brand: "unionpay", from: "62", to: "62", lengths: SIXTEEN_TO_NINETEEN },
  { brand: "maestro", from: "50", to: "50", lengths: TWELVE_TO_NINETEEN },
  { brand: "maestro", from: "56", to: "58", lengths: TWELVE_TO_NINETEEN },
  { brand: "maestro", from: "63", to: "63", lengths: TWELVE_TO_NINETEEN },
  { brand: "maestro", from: "67", to: "67", lengths: TWELVE_TO_NINETEEN },
];

const PAN = /^[0-9]{12,19}$/;
const CVV_LENGTH = 3;
const AMEX_CVV_LENGTH = 4;
const MONTHS = 12;
const YEAR_MIN = 1000;
const YEAR_MAX = 9999;

/** Undefined too for a number whose length its brand does not have. */
export function findCardBrand(pan: string): CardBrand | undefined {
  if (!PAN.test(pan)) return undefined;
  const row = PREFIXES.find(({ from, to }) => {
    const prefix = pan.slice(0, from.length);
    return from <= prefix && prefix <= to;
  });
  return row?.lengths.includes(pan.length) ? row.brand : undefined;
}

export function cvvLengthOf(brand: CardBrand): number {
  return brand === "amex" ? AMEX_CVV_LENGTH : CVV_LENGTH;
}

/** Everything that is wrong with a card, one fault a field at most. An empty list does not mean that the card exists. */
export function listCardFaults(card: CardDetails, now: Date): readonly CardFault[] {
  return [findPanFault(card.pan), findCvvFault(card), findExpiryFault(card, now)].filter(
    (fault) => fault !== undefined,
  );
}

export function findPanFault(pan: string): CardFault | undefined {
  if (!PAN.test(pan)) return { field: "pan", code: "not_digits" };
  if (!passesLuhn(pan)) return { field: "pan", code: "check_digit" };
  return findCardBrand(pan) === undefined ? { field: "pan", code: "brand_unknown" } : undefined;
}

/** With a number of no brand either length will do: the number is the fault then. */
function findCvvFault({ pan, cvv }: CardDetails): CardFault | undefined {
  const brand = findCardBrand(pan);
  const lengths = brand === undefined ? [CVV_LENGTH, AMEX_CVV_LENGTH] : [cvvLengthOf(brand)];
  return /^[0-9]+$/.test(cvv) && lengths.includes(cvv.length) ? undefined : { field: "cvv", code: "length" };
}

/** A card is good to the end of its month, by UTC. */
function findExpiryFault({ expiryMonth, expiryYear }: CardDetails, now: Date): CardFault | undefined {
  if (!isWholeWithin(expiryMonth, 1, MONTHS) || !isWholeWithin(expiryYear, YEAR_MIN, YEAR_MAX))
    return { field: "expiry", code: "not_a_month" };
  // Months count from 0 here, so this is the first moment of the month after.
  return now.getTime() >= Date.UTC(expiryYear, expiryMonth, 1) ? { field: "expiry", code: "over" } : undefined;
}

function isWholeWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
