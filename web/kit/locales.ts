/**
 * How a language writes numbers and dates, by the name of a language that every browser has data of. Chromium says that it
 * knows Kazakh, Uzbek and Azerbaijani, and writes `1,234.50` and `2026 M02 3` in them; it does not know Kyrgyz and Tajik.
 * So these are written as their neighbours write: `1 234,50` as in Russian, `1.234,50` as in German, and `03.02.2026`.
 */
const NUMBERS_LIKE: Readonly<Record<string, string>> = { kk: "ru", uz: "ru", ky: "ru", tg: "ru", az: "de" };
const DATES_LIKE: Readonly<Record<string, string>> = { kk: "de", uz: "de", ky: "de", tg: "de", az: "de" };

export function numberLocaleOf(language: string): string {
  return NUMBERS_LIKE[language] ?? language;
}

/** English as in Britain, with the day first and 24 hours. */
export function dateLocaleOf(language: string): string {
  return language === "en" ? "en-GB" : timeLocaleOf(language);
}

export function timeLocaleOf(language: string): string {
  return DATES_LIKE[language] ?? language;
}
