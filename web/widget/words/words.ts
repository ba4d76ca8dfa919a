import type { Language } from "../../kit/language.ts";
import { openSpeech } from "../../kit/speech.ts";
import { en, type Words } from "./en.ts";
import { ru } from "./ru.ts";

export const WORDS: Readonly<Record<Language, Words>> = { en, ru };

export const { SpeechContext, useSpeech } = openSpeech(WORDS);
