import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Words } from "./en.ts";
import type { PageLanguage } from "./page-language.ts";

/** What the page says, and the language it says it in. */
export type Speech = { readonly language: PageLanguage; readonly words: Words };

export const SpeechContext = createContext<Speech | undefined>(undefined);

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (speech === undefined) throw new Error("the page has no language yet");
  return speech;
}
