import type { Language, View } from "./view.ts";

export type Money = Pick<View, "amount" | "currency" | "decimals">;

/** Browsers have opinions of their own on decimals, so the server's are given. */
export function formatMoney({ amount, currency, decimals }: Money, language: Language): string {
  return new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}

/** What a bank's form takes: `2500`, or `2500.50`. */
export function plainAmount({ amount, decimals }: Money): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`;
}
