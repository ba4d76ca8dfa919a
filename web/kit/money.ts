import { signOf } from "./currency-signs.ts";
import { numberLocaleOf } from "./locales.ts";

/** In minor units; beyond what JavaScript holds exactly, as their digits. */
export type Money = { readonly amount: number | string; readonly currency: string; readonly decimals: number };

/** Longer sums are written smaller, and may go on in a second line. */
const LINE_LENGTH_MAX = 15;

/** For payers, with the sign or the word that people write: `₽2,500.00`, `2 500,00 soʻm`. */
export function formatMoney(money: Money, language: string): string {
  return write(money, language, signOf(money.currency, language));
}

/** For tables of several currencies: with the currency's code where the language has no sign of its own for it. */
export function formatMoneyInTables(money: Money, language: string): string {
  return write(money, language, { currencyDisplay: "symbol" });
}

/** Browsers have opinions of their own on decimals, so the server's are given. */
function write(
  { amount, currency, decimals }: Money,
  language: string,
  { currencyDisplay, word }: ReturnType<typeof signOf>,
): string {
  const format = new Intl.NumberFormat(numberLocaleOf(language), {
    style: "currency",
    currency,
    currencyDisplay,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const parts = format
    .formatToParts(decimalOf(amount, decimals))
    .map(({ type, value }) => ({ type, value: type === "currency" ? (word ?? value) : value }));
  const text = parts.map(({ value }) => value).join("");
  // If it must be broken, then between the number and the currency, and never within the number.
  return isLong(text) ? parts.map(({ type, value }) => (type === "literal" ? " " : value)).join("") : text;
}

/** Browsers format a number that is written out exactly; one of the last years before that takes the nearest number. */
function decimalOf(amount: number | string, decimals: number): number {
  return typeof amount === "number" ? amount / 10 ** decimals : (`${amount}e-${decimals}` as unknown as number);
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
