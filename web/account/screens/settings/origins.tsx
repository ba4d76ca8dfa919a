import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

/** Which sites may show the payment page in a frame. Each is added and taken away by itself, after a confirmation. */
export function Origins(props: {
  readonly settings: PageSettings;
  readonly onSaved: (settings: PageSettings) => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { origins, project } = props.settings;
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const change = async (origin: string, allowed: boolean) => {
    const answer = await perform<PageSettings>(`settings/${project.id}/origin`, { origin, allowed });
    if (answer.kind === "ok") {
      setTrouble(undefined);
      setText("");
      return props.onSaved(answer.value);
    }
    const isWrong = answer.kind === "refused" && answer.code === "validation_failed";
    setTrouble(isWrong ? words.settings.originWrong : refusalText(words, answer));
  };
  return (
    <Panel title={words.settings.origins} text={words.settings.originsText}>
      {origins.length === 0 ? <p class="small">{words.settings.originsNone}</p> : null}
      <ul class="rows">
        {origins.map((origin) => (
          <li key={origin}>
            <code>{origin}</code>
            <button
              type="button"
              class="quiet"
              aria-label={words.settings.originRemoveOf(origin)}
              onClick={() => change(origin, false)}
            >
              {words.settings.originRemove}
            </button>
          </li>
        ))}
      </ul>
      <Notice text={trouble} />
      <form
        class="origin-form"
        onSubmit={(event) => {
          event.preventDefault();
          void change(originOf(text), true);
        }}
      >
        <TextField
          label={words.settings.originField}
          hint={words.settings.originHint}
          value={text}
          maxLength={255}
          isRequired
          onInput={setText}
        />
        <button type="submit" class="quiet">
          {words.settings.originAdd}
        </button>
      </form>
    </Panel>
  );
}

/** What a person pastes is often the address of a page: its origin is meant. */
function originOf(text: string): string {
  const address = /^[a-z]+:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  return URL.canParse(address) ? new URL(address).origin : text;
}
