import type { PageLanguage } from "../../app/page/page-language.ts";
import type { PageView } from "../../app/page/widget-page.ts";

/**
 * Sums and times of the page without its script. They are written as the script writes them (web/kit/money.ts and
 * locales.ts say why), so that nothing changes under the reader's eyes when it runs; a test compares the two.
 */
const NUMBERS_LIKE: Readonly<Partial<Record<PageLanguage, string>>> = {
  kk: "ru",
  uz: "ru",
  ky: "ru",
  tg: "ru",
  az: "de",
};
const TIMES_LIKE: Readonly<Partial<Record<PageLanguage, string>>> = {
  kk: "de",
  uz: "de",
  ky: "de",
  tg: "de",
  az: "de",
};
const SIGNED: ReadonlySet<string> = new Set(["RUB", "KZT"]);
const CURRENCY_WORDS: Readonly<Record<string, Readonly<Partial<Record<PageLanguage, string>>>>> = {
  UZS: { ru: "сум", uz: "soʻm" },
  KGS: { ru: "сом", ky: "сом" },
  TJS: { ru: "сомони", tg: "сомонӣ" },
};

type Sum = Pick<PageView, "amount" | "currency" | "decimals" | "language">;

export function moneyText({ amount, currency, decimals, language }: Sum): string {
  const format = new Intl.NumberFormat(NUMBERS_LIKE[language] ?? language, {
    style: "currency",
    currency,
    currencyDisplay: SIGNED.has(currency) ? "narrowSymbol" : "symbol",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const word = CURRENCY_WORDS[currency]?.[language];
  return format
    .formatToParts(amount / 10 ** decimals)
    .map(({ type, value }) => (type === "currency" ? (word ?? value) : value))
    .join("");
}

/** Without a script the reader's time zone is unknown. */
export function timeText(until: string, language: PageLanguage): string {
  const locale = TIMES_LIKE[language] ?? language;
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(until))} UTC`;
}
