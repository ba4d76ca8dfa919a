import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "../../kit/language.ts";
import { useSpeech } from "../words/words.ts";

/** Speaks a language from now on, and remembers it in this browser. */
export const SpeakLanguage = createContext<(language: Language) => void>(() => undefined);

/** `onSwitched`: where the choice is also stored for the person. */
export function LanguageButton({ onSwitched }: { readonly onSwitched?: (language: Language) => void }) {
  const { language, words } = useSpeech();
  const speak = useContext(SpeakLanguage);
  const other = language === "en" ? "ru" : "en";
  return (
    <button
      type="button"
      class="link-button"
      lang={other}
      onClick={() => {
        speak(other);
        onSwitched?.(other);
      }}
    >
      {words.otherLanguage}
    </button>
  );
}
