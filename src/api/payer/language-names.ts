import type { PageLanguage } from "../../app/page/page-language.ts";

/** Each by the name that its readers give it; the page's script has the same (web/widget/words/page-language.ts). */
export const LANGUAGE_NAMES: Readonly<Record<PageLanguage, string>> = {
  en: "English",
  ru: "Русский",
  kk: "Қазақша",
  uz: "Oʻzbekcha",
  az: "Azərbaycanca",
  ky: "Кыргызча",
  tg: "Тоҷикӣ",
  es: "Español",
};
