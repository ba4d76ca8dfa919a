import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "./language.ts";

/** What a page says, and the language it says it in. */
type Speech<Words> = { readonly language: Language; readonly words: Words };

/** One table of words for each language; every part of a page takes its words from the context. */
export function openSpeech<Words>(tables: Readonly<Record<Language, Words>>) {
  const SpeechContext = createContext<Speech<Words>>({ language: "en", words: tables.en });
  return { SpeechContext, useSpeech: (): Speech<Words> => useContext(SpeechContext) };
}
