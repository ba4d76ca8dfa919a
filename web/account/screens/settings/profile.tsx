import { useContext, useEffect, useState } from "preact/hooks";
import type { Language } from "../../../kit/language.ts";
import { Notice } from "../../../kit/notice.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { SpeakLanguage } from "../../parts/language-button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useAccount } from "../../session.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

/** The own name and language. */
export function Profile() {
  const { words } = useSpeech();
  const { session, perform, refresh } = useAccount();
  const speak = useContext(SpeakLanguage);
  const { person } = session;
  const [name, setName] = useState(person.name);
  const [language, setLanguage] = useState<Language>(person.language);
  // It can also be changed at the foot of the menu.
  useEffect(() => setLanguage(person.language), [person.language]);
  const [trouble, setTrouble] = useState<string>();
  const [isDone, setDone] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setDone(false);
    const answer = await perform("profile", { name: name.trim(), language });
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setTrouble(undefined);
    setDone(true);
    speak(language);
    await refresh();
  };
  return (
    <Panel title={words.profile.title} text={person.email}>
      <form class="narrow" onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.profile.name}
          hint={words.profile.nameHint}
          name="name"
          autocomplete="name"
          value={name}
          maxLength={128}
          isRequired
          onInput={setName}
        />
        <SelectField
          label={words.profile.language}
          value={language}
          options={(["en", "ru"] as const).map((each) => ({ value: each, name: words.profile.languages[each] }))}
          onChange={(value) => setLanguage(value === "ru" ? "ru" : "en")}
        />
        <button type="submit" class="quiet">
          {words.save}
        </button>
        <p class="done" role="status">
          {isDone ? words.profile.saved : null}
        </p>
      </form>
    </Panel>
  );
}
