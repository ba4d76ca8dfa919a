import type { ShownBank } from "../page-state.ts";
import type { PageLanguage } from "../words/page-language.ts";

/** Whose spelling a reader of the language can read: the same alphabet's. */
const NEAREST: Readonly<Record<PageLanguage, "en" | "ru">> = {
  ...{ en: "en", ru: "ru", kk: "ru", uz: "en", az: "en", ky: "ru", tg: "ru", es: "en" },
};

export function nameOfBank({ name, names = {} }: ShownBank, language: PageLanguage): string {
  return names[language] ?? names[NEAREST[language]] ?? name;
}
