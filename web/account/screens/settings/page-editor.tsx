import { useState } from "preact/hooks";
import { isAccent } from "../../../kit/accent.ts";
import { useAccount } from "../../session.ts";
import type { PageSettings } from "../../wire/settings.ts";
import { LookForm } from "./look-form.tsx";
import { Origins } from "./origins.tsx";
import { Preview } from "./preview.tsx";

/** What is being typed and chosen, before it is saved. An empty colour is ours. */
export type Draft = { readonly name: string; readonly accent: string; readonly logo: string | null };

export function draftOf({ project, accent, logo }: PageSettings): Draft {
  return { name: project.name, accent: accent ?? "", logo };
}

/** The forms, and beside them the page as it would be. */
export function PageEditor(props: { readonly settings: PageSettings }) {
  const { refresh } = useAccount();
  const [settings, setSettings] = useState(props.settings);
  const [draft, setDraft] = useState(() => draftOf(props.settings));
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
        <Origins settings={settings} onSaved={onSaved} />
      </div>
      <Preview name={draft.name} accent={accent} logo={draft.logo} />
    </div>
  );
}
