import { useEffect, useMemo, useState } from "preact/hooks";
import { Brand } from "../account/parts/entrance.tsx";
import { LanguageButton, SpeakLanguage } from "../account/parts/language-button.tsx";
import { Screen } from "../account/parts/screen.tsx";
import { change } from "../account/server.ts";
import { SpeechContext, WORDS } from "../account/words/words.ts";
import type { Language } from "../kit/language.ts";
import { Desk } from "./desk.tsx";
import { type DeskDoor, DoorContext } from "./door.ts";
import { useDeskWords } from "./words/words.ts";

/** The script lies in `/sandbox/desk/assets`, so that what the account's pages ask `api` for is asked below `/sandbox/desk`. */
const DOOR: DeskDoor = {
  ask: (name, body) => change(name, { general: {}, ...body }),
  sendCallbacksTo: (url) => change("callbacks/url", { general: {}, url }),
};

/** `/sandbox` in development mode: the desk of the project in `.tillgate/sandbox.json`, which needs no sign-in. */
export function DeskPage() {
  const [language, setLanguage] = useState<Language>(() => (navigator.language.startsWith("ru") ? "ru" : "en"));
  const speech = useMemo(() => ({ language, words: WORDS[language] }), [language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return (
    <SpeechContext.Provider value={speech}>
      <SpeakLanguage.Provider value={setLanguage}>
        <DoorContext.Provider value={DOOR}>
          <Frame />
        </DoorContext.Provider>
      </SpeakLanguage.Provider>
    </SpeechContext.Provider>
  );
}

/** Seen from `/sandbox`, also where a proxy serves us below a path of its own. */
const LINKS = [
  { name: "openShop", href: "sandbox/shop" },
  { name: "openDocs", href: "docs" },
  { name: "openAccount", href: "account" },
] as const;

function Frame() {
  const desk = useDeskWords();
  return (
    <div class="desk-page">
      <header class="desk-top">
        <Brand />
        <nav aria-label={desk.pagesNav}>
          {LINKS.map(({ name, href }) => (
            <a key={name} href={href}>
              {desk[name]}
            </a>
          ))}
        </nav>
        <LanguageButton />
      </header>
      <main id="content">
        <Screen title={desk.title}>
          <Desk />
        </Screen>
      </main>
    </div>
  );
}
