import { preferredLanguage } from "../../platform/accept-language.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";

/** The languages that payers' pages speak. */
export const PAGE_LANGUAGES = ["en", "ru", "kk", "uz", "az", "ky", "tg", "es"] as const;
export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** What most people read in a country, for a payer whose browser speaks none of ours. */
const COUNTRIES: Readonly<Partial<Record<PageLanguage, string>>> = {
  ru: "RU BY",
  kk: "KZ",
  uz: "UZ",
  az: "AZ",
  ky: "KG",
  tg: "TJ",
  es: "AR BO CL CO CR CU DO EC ES GQ GT HN MX NI PA PE PR PY SV UY VE",
};
const LANGUAGE_OF_COUNTRY: ReadonlyMap<unknown, PageLanguage> = new Map(
  PAGE_LANGUAGES.flatMap((language) => (COUNTRIES[language] ?? "").split(" ").map((code) => [code, language] as const)),
);

export function findPageLanguage(name: unknown): PageLanguage | undefined {
  return PAGE_LANGUAGES.find((language) => language === name);
}

/** What the merchant said of the payer, then what the browser asks for, then what most people of the country read. */
export function languageOf(
  { request }: Pick<StoredPayment, "request">,
  acceptLanguage: string | undefined,
): PageLanguage {
  const { language, country } = request.customer ?? {};
  return (
    findPageLanguage(language) ??
    preferredLanguage(acceptLanguage, PAGE_LANGUAGES) ??
    LANGUAGE_OF_COUNTRY.get(country) ??
    "en"
  );
}

/** Of a visitor whose payment is not known. */
export function languageOfBrowser(acceptLanguage: string | undefined): PageLanguage {
  return preferredLanguage(acceptLanguage, PAGE_LANGUAGES) ?? "en";
}
