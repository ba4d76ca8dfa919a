/** The languages that payers' pages speak, each by the name that its readers give it. */
export const LANGUAGE_NAMES = {
  en: "English",
  ru: "Русский",
  kk: "Қазақша",
  uz: "Oʻzbekcha",
  az: "Azərbaycanca",
  ky: "Кыргызча",
  tg: "Тоҷикӣ",
  es: "Español",
} as const;

export type PageLanguage = keyof typeof LANGUAGE_NAMES;

export const PAGE_LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly PageLanguage[];
