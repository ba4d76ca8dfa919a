import { useId, useState } from "preact/hooks";
import { isAccent, OUR_ACCENT } from "../../../kit/accent.ts";
import { Notice } from "../../../kit/notice.tsx";
import { BookMark } from "../../parts/badge.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { type Draft, draftOf } from "./draft.ts";
import { LogoField } from "./logo-field.tsx";

type Props = {
  readonly settings: PageSettings;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onSaved: (settings: PageSettings) => void;
};

/** Name, colour and picture. They are saved together, and only what was changed is sent. */
export function LookForm({ settings, draft, onDraft, onSaved }: Props) {
  const { words } = useSpeech();
  const { trouble, isSaved, save } = useSave({ settings, draft, onDraft, onSaved });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(settings));
  const isRight = draft.name.trim() !== "" && (draft.accent === "" || isAccent(draft.accent));
  return (
    <Panel title={words.settings.look} text={words.settings.lookText} aside={<BookMark book={settings.project.book} />}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && isRight) void save();
        }}
      >
        <Notice text={trouble} />
        <TextField
          label={words.settings.name}
          hint={words.settings.nameHint}
          value={draft.name}
          maxLength={128}
          isRequired
          onInput={(name) => onDraft({ ...draft, name })}
        />
        <AccentField value={draft.accent} onInput={(accent) => onDraft({ ...draft, accent })} />
        <LogoField value={draft.logo} onChange={(logo) => onDraft({ ...draft, logo })} />
        <div class="form-acts">
          <button type="submit" class="primary" aria-disabled={!isChanged || !isRight}>
            {words.save}
          </button>
          {isChanged ? (
            <button type="button" class="quiet" onClick={() => onDraft(draftOf(settings))}>
              {words.settings.discard}
            </button>
          ) : null}
          <span class="small" role="status">
            {isChanged ? words.settings.unsaved : isSaved ? words.settings.saved : null}
          </span>
        </div>
      </form>
    </Panel>
  );
}

function useSave({ settings, draft, onDraft, onSaved }: Props) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [trouble, setTrouble] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const before = draftOf(settings);
  const path = `settings/${settings.project.id}`;
  const changes = [
    ...(draft.name === before.name && draft.accent === before.accent
      ? []
      : [{ path: `${path}/look`, body: { name: draft.name.trim(), accent: draft.accent || null } }]),
    ...(draft.logo === before.logo
      ? []
      : [{ path: `${path}/logo`, body: { picture: draft.logo === null ? null : base64Of(draft.logo) } }]),
  ];
  const save = async () => {
    setTrouble(undefined);
    setSaved(false);
    let saved = settings;
    for (const change of changes) {
      const answer = await perform<PageSettings>(change.path, change.body);
      if (answer.kind !== "ok") return setTrouble(refusalText(words, answer));
      saved = answer.value;
      onSaved(saved);
    }
    // As the server writes it: a picture, for one, is stripped of what is not needed to draw it.
    onDraft(draftOf(saved));
    setSaved(true);
  };
  return { trouble, isSaved, save };
}

function base64Of(dataUrl: string): string {
  return dataUrl.slice(dataUrl.indexOf(",") + 1);
}

function AccentField({ value, onInput }: { readonly value: string; readonly onInput: (value: string) => void }) {
  const { words } = useSpeech();
  const id = useId();
  const isWrong = value !== "" && !isAccent(value);
  return (
    <div class="accent-field">
      <TextField
        label={words.settings.accent}
        hint={words.settings.accentHint}
        mistake={isWrong ? words.settings.accentWrong : undefined}
        value={value}
        placeholder={OUR_ACCENT}
        maxLength={7}
        onInput={onInput}
      >
        <label for={id} class="unseen">
          {words.settings.accentPick}
        </label>
        <input
          id={id}
          class="swatch"
          type="color"
          value={isAccent(value) ? value.toLowerCase() : OUR_ACCENT}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </TextField>
      {value === "" ? null : (
        <button type="button" class="link-button" onClick={() => onInput("")}>
          {words.settings.accentOurs}
        </button>
      )}
    </div>
  );
}
