import { LANGUAGE_NAMES, PAGE_LANGUAGES, type PageLanguage } from "../words/page-language.ts";
import { useSpeech } from "../words/words.ts";

/** The browser's own list: phones show it as they show any other, and the keyboard and screen readers know it. */
export function LanguageMenu({ onLanguage }: { readonly onLanguage: (language: PageLanguage) => void }) {
  const { language, words } = useSpeech();
  return (
    <select
      class="language"
      aria-label={words.language}
      value={language}
      onChange={({ currentTarget }) => onLanguage(currentTarget.value as PageLanguage)}
    >
      {PAGE_LANGUAGES.map((each) => (
        <option key={each} value={each} lang={each} selected={each === language}>
          {LANGUAGE_NAMES[each]}
        </option>
      ))}
    </select>
  );
}
