import type { Words } from "./en.ts";
import { keepTopics, type Topics } from "./kept-topics.ts";
import type { PageLanguage } from "./page-language.ts";
import type { Speech } from "./words.ts";

/** A payer reads one language, and loads that one: each is a file of its own, with its share of every topic. */
const LOADERS = {
  en: () => import("./en.ts"),
  ru: () => import("./ru.ts"),
  kk: () => import("./kk.ts"),
  uz: () => import("./uz.ts"),
  az: () => import("./az.ts"),
  ky: () => import("./ky.ts"),
  tg: () => import("./tg.ts"),
  es: () => import("./es.ts"),
} satisfies { readonly [Language in PageLanguage]: () => Promise<{ readonly [Name in Language]: Words }> };

export async function loadSpeech(language: PageLanguage): Promise<Speech> {
  const loaded: Partial<Record<PageLanguage, Words>> & { readonly topics?: Topics } = await LOADERS[language]();
  if (loaded.topics !== undefined) keepTopics(language, loaded.topics);
  const words = loaded[language];
  if (words === undefined) throw new Error(`the file of ${language} has no words`);
  return { language, words };
}
