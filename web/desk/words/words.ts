import { useSpeech } from "../../account/words/words.ts";
import type { Language } from "../../kit/language.ts";
import { type DeskWords, deskEn } from "./en.ts";
import { deskRu } from "./ru.ts";

const DESK_WORDS: Readonly<Record<Language, DeskWords>> = { en: deskEn, ru: deskRu };

/** The desk's own words, in the language of the page around it; what other pages say too is in the account's. */
export function useDeskWords(): DeskWords {
  return DESK_WORDS[useSpeech().language];
}
