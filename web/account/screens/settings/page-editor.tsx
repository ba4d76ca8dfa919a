import { useState } from "preact/hooks";
import { isAccent } from "../../../kit/accent.ts";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { AttemptsForm } from "./attempts-form.tsx";
import { draftOf, supportDraftOf } from "./draft.ts";
import { LookForm } from "./look-form.tsx";
import { Origins } from "./origins.tsx";
import { Preview } from "./preview.tsx";
import { SupportForm } from "./support-form.tsx";

/** The forms, and beside them the page as it would be. */
export function PageEditor(props: { readonly settings: PageSettings }) {
  const { refresh } = useAccount();
  const [settings, setSettings] = useState(props.settings);
  const [draft, setDraft] = useState(() => draftOf(props.settings));
  const [support, setSupport] = useState(() => supportDraftOf(props.settings));
  const onSaved = (next: PageSettings) => {
    setSettings(next);
    // The menu names the project too.
    if (next.project.name !== settings.project.name) void refresh();
  };
  const accent = isAccent(draft.accent) ? draft.accent : null;
  return (
    <div class="settings">
      <div class="settings-forms">
        <LookForm settings={settings} draft={draft} onDraft={setDraft} onSaved={onSaved} />
        <SupportForm settings={settings} draft={support} onDraft={setSupport} onSaved={onSaved} />
        <Origins settings={settings} onSaved={onSaved} />
        <AttemptsForm settings={settings} onSaved={onSaved} />
      </div>
      <Preview
        name={draft.name}
        accent={accent}
        logo={draft.logo}
        support={support}
        isTest={settings.project.book === "test"}
      />
    </div>
  );
}
