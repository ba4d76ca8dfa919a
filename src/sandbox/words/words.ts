import { preferredLanguage } from "../../platform/accept-language.ts";
import { az } from "./az.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { kk } from "./kk.ts";
import { ky } from "./ky.ts";
import { ru } from "./ru.ts";
import type { SandboxWords } from "./sandbox-words.ts";
import { tg } from "./tg.ts";
import { uz } from "./uz.ts";

const WORDS = { en, ru, kk, uz, az, ky, tg, es } as const satisfies Readonly<Record<string, SandboxWords>>;

export const SANDBOX_LANGUAGES = Object.keys(WORDS) as readonly (keyof typeof WORDS)[];

/** The language of a page, and what is said in it. */
export type Speech = { readonly language: keyof typeof WORDS; readonly words: SandboxWords };

/** As a bank does, the pages speak the language of the browser. */
export function speechOf({
  headers,
}: {
  readonly headers: { readonly "accept-language"?: string | undefined };
}): Speech {
  const language = preferredLanguage(headers["accept-language"], SANDBOX_LANGUAGES) ?? "en";
  return { language, words: WORDS[language] };
}
