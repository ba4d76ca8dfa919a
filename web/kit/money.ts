import type { Language } from "./language.ts";

export type Money = { readonly amount: number; readonly currency: string; readonly decimals: number };

/** Longer sums are written smaller, and may go on in a second line. */
const LINE_LENGTH_MAX = 15;

/** Browsers have opinions of their own on decimals, so the server's are given. */
export function formatMoney({ amount, currency, decimals }: Money, language: Language): string {
  const parts = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).formatToParts(amount / 10 ** decimals);
  const text = parts.map(({ value }) => value).join("");
  // If it must be broken, then between the number and the currency, and never within the number.
  return isLong(text) ? parts.map(({ type, value }) => (type === "literal" ? " " : value)).join("") : text;
}

export function isLong(sum: string): boolean {
  return sum.length > LINE_LENGTH_MAX;
}

/** What a bank's form takes: `2500`, or `2500.50`. */
export function plainAmount({ amount, decimals }: Money): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`;
}
