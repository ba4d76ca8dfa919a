import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { SelectField } from "../../parts/fields.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { refusalText, useSpeech } from "../../words/words.ts";

const CHOICES = Array.from({ length: 10 }, (_, index) => ({ value: String(index + 1), name: String(index + 1) }));

/** How often a payer may choose how to pay. It is saved as it is chosen. */
export function AttemptsForm(props: {
  readonly settings: PageSettings;
  readonly onSaved: (settings: PageSettings) => void;
}) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { payer_attempts, project } = props.settings;
  const [trouble, setTrouble] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const change = async (value: string) => {
    setBusy(true);
    setSaved(false);
    const answer = await perform<PageSettings>(`settings/${project.id}/attempts`, { payer_attempts: Number(value) });
    setBusy(false);
    if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
    setTrouble(undefined);
    setSaved(true);
    props.onSaved(answer.value);
  };
  return (
    <Panel title={words.settings.attempts} text={words.settings.attemptsText}>
      <Notice text={trouble} />
      <SelectField
        label={words.settings.attemptsField}
        value={String(payer_attempts)}
        options={CHOICES}
        isDisabled={isBusy}
        onChange={change}
      />
      <p class="small" role="status">
        {isSaved ? words.settings.attemptsSaved : null}
      </p>
    </Panel>
  );
}
