import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Code } from "../parts/code.tsx";
import { coloured } from "./colours.tsx";
import { LANGUAGE_IDS, LANGUAGES, type LanguageId } from "./languages.ts";
import type { SampleCall } from "./sample.ts";

export function mountSample(place: Element, call: SampleCall): void {
  render(<Samples call={call} />, place);
}

/** The language that a reader chose holds for every call of the page. */
let chosen: LanguageId = "shell";
const listeners = new Set<() => void>();

function choose(language: LanguageId): void {
  chosen = language;
  for (const listener of listeners) listener();
}

function Samples({ call }: { readonly call: SampleCall }) {
  const [language, setLanguage] = useState(chosen);
  useEffect(() => {
    const listener = () => setLanguage(chosen);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  const { name, write } = LANGUAGES[language];
  const text = write(call);
  return (
    <div class="samples">
      <fieldset class="languages">
        <legend class="unseen">Language of the sample</legend>
        {LANGUAGE_IDS.map((each) => (
          <button key={each} type="button" aria-pressed={each === language} onClick={() => choose(each)}>
            {LANGUAGES[each].name}
          </button>
        ))}
      </fieldset>
      <Code label={`${call.title}: ${name}`} text={text}>
        {coloured(text, language)}
      </Code>
    </div>
  );
}
