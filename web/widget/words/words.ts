import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "../view.ts";
import { en, type Words } from "./en.ts";
import { ru } from "./ru.ts";

export const WORDS: Readonly<Record<Language, Words>> = { en, ru };

export type Speech = { readonly language: Language; readonly words: Words };

export const SpeechContext = createContext<Speech>({ language: "en", words: en });

export function useSpeech(): Speech {
  return useContext(SpeechContext);
}
