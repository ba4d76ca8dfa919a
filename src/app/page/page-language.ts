import type { StoredPayment } from "../../store/payments/payments.ts";

/** The languages that payers' pages speak. */
export type PageLanguage = "en" | "ru";

/** Where Russian is what most payers of a bank transfer read. */
const RUSSIAN_READING: ReadonlySet<unknown> = new Set(["RU", "KZ", "UZ", "KG", "TJ", "AZ", "BY"]);

/** What the merchant said of the payer: the language, or else what most people of the country read. */
export function languageOf({ request }: Pick<StoredPayment, "request">): PageLanguage {
  const { language, country } = request.customer ?? {};
  if (language === "ru" || language === "en") return language;
  return language === undefined && RUSSIAN_READING.has(country) ? "ru" : "en";
}
