import type { Language } from "../../kit/language.ts";
import { openSpeech } from "../../kit/speech.ts";
import type { Refusal } from "../server.ts";
import { en, type Words } from "./en.ts";
import { ru } from "./ru.ts";

export const WORDS: Readonly<Record<Language, Words>> = { en, ru };

export const { SpeechContext, useSpeech } = openSpeech(WORDS);

/** Why it did not work, in words. */
export function refusalText(words: Words, refusal: Refusal): string {
  return words.errors[refusal.kind === "silence" ? "silence" : refusal.code] ?? words.errorUnknown;
}
