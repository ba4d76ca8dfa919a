import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { useSpeech } from "../words/words.ts";

export const SwitchLanguage = createContext<() => void>(() => undefined);

export function LanguageButton() {
  const { language, words } = useSpeech();
  const switchLanguage = useContext(SwitchLanguage);
  return (
    <button type="button" class="link-button" lang={language === "en" ? "ru" : "en"} onClick={switchLanguage}>
      {words.otherLanguage}
    </button>
  );
}
