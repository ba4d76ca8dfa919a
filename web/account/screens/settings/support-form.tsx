import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { type SupportDraft, supportDraftOf } from "./draft.ts";

type Props = {
  readonly settings: PageSettings;
  readonly draft: SupportDraft;
  readonly onDraft: (draft: SupportDraft) => void;
  readonly onSaved: (settings: PageSettings) => void;
};

/** How payers reach the shop. Saved after a confirmation: payers believe the person whom they reach. */
export function SupportForm({ settings, draft, onDraft, onSaved }: Props) {
  const { words } = useSpeech();
  const { settings: names } = words;
  const { perform } = useAccount();
  const [trouble, setTrouble] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const [isSaved, setSaved] = useState(false);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(supportDraftOf(settings));
  const change = (changed: Partial<SupportDraft>) => {
    setWrong(undefined);
    onDraft({ ...draft, ...changed });
  };
  const save = async () => {
    setTrouble(undefined);
    setWrong(undefined);
    setSaved(false);
    const { email, phone, url } = draft;
    const body = { email: email.trim() || null, phone: phone.trim() || null, url: url.trim() || null };
    const answer = await perform<PageSettings>(`settings/${settings.project.id}/support`, body);
    if (answer.kind === "ok") {
      onSaved(answer.value);
      // As the server writes it.
      onDraft(supportDraftOf(answer.value));
      return setSaved(true);
    }
    const field = answer.kind === "refused" ? answer.fields?.[0] : undefined;
    return field === undefined ? setTrouble(refusalText(words, answer)) : setWrong(field);
  };
  const mistakeIn = (field: keyof SupportDraft, text: string) => (wrong === field ? text : undefined);
  return (
    <Panel title={names.support} text={names.supportText}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void save();
        }}
      >
        <Notice text={trouble} />
        <TextField
          label={names.supportEmail}
          type="email"
          value={draft.email}
          maxLength={254}
          mistake={mistakeIn("email", names.supportEmailWrong)}
          onInput={(email) => change({ email })}
        />
        <TextField
          label={names.supportPhone}
          hint={names.supportPhoneHint}
          value={draft.phone}
          maxLength={32}
          mistake={mistakeIn("phone", names.supportPhoneWrong)}
          onInput={(phone) => change({ phone })}
        />
        <TextField
          label={names.supportUrl}
          hint={names.supportUrlHint}
          value={draft.url}
          maxLength={2048}
          mistake={mistakeIn("url", names.supportUrlWrong)}
          onInput={(url) => change({ url })}
        />
        <div class="form-acts">
          <button type="submit" class="quiet" aria-disabled={!isChanged}>
            {words.save}
          </button>
          <span class="small" role="status">
            {isChanged ? names.unsaved : isSaved ? names.saved : null}
          </span>
        </div>
      </form>
    </Panel>
  );
}
