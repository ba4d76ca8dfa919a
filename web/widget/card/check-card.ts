import type { Words } from "../words/en.ts";
import type { CardWords } from "../words/topics/card.ts";
import { isPast, readExpiry } from "./expiry.ts";
import { brandOf, digitsOf, passesCheckDigit } from "./number.ts";

export type CardText = {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly holder: string;
};

export type CardField = keyof CardText;

const DIGITS_MIN = 12;
const HOLDER_MIN = 2;

export type CardErrors = Words["card"]["errors"] & CardWords["errors"];

/** What is wrong with a field, in the payer's language; undefined: nothing that can be seen from here. */
export function findMistake(field: CardField, card: CardText, nowMs: number, errors: CardErrors): string | undefined {
  switch (field) {
    case "number":
      return numberMistake(digitsOf(card.number), errors);
    case "expiry":
      return expiryMistake(card.expiry, nowMs, errors);
    case "cvv":
      return cvvMistake(card, errors);
    case "holder": {
      const holder = card.holder.trim();
      if (holder === "") return errors.holderEmpty;
      return holder.length < HOLDER_MIN ? errors.holderWrong : undefined;
    }
  }
}

function numberMistake(digits: string, errors: CardErrors): string | undefined {
  if (digits === "") return errors.numberEmpty;
  const brand = brandOf(digits);
  const isWhole = brand === undefined ? digits.length >= DIGITS_MIN : brand.lengths.includes(digits.length);
  if (!isWhole) return errors.numberShort;
  if (!passesCheckDigit(digits)) return errors.numberWrong;
  return brand === undefined ? errors.brandUnknown : undefined;
}

function expiryMistake(text: string, nowMs: number, errors: CardErrors): string | undefined {
  const expiry = readExpiry(text);
  if (expiry === undefined) return errors.expiryEmpty;
  if (expiry.month < 1 || expiry.month > 12) return errors.expiryWrong;
  return isPast(expiry, nowMs) ? errors.expiryOver : undefined;
}

function cvvMistake({ number, cvv }: CardText, errors: CardErrors): string | undefined {
  if (cvv === "") return errors.cvvEmpty;
  const length = brandOf(digitsOf(number))?.cvvLength ?? 3;
  return cvv.length === length ? undefined : errors.cvvLength(length);
}
