import { useState } from "preact/hooks";
import { formatShortMoment } from "../../../kit/dates.ts";
import { Notice } from "../../../kit/notice.tsx";
import { useLoad } from "../../load.ts";
import { TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figures.tsx";
import { Modal } from "../../parts/modal.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Shown } from "../../parts/states.tsx";
import { useAccount } from "../../session.ts";
import { type CallbackSettings, URL_NAMES, type UrlName } from "../../wire/callbacks.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { type SettingsProps, Signing } from "./signing.tsx";

/** Where a project's callbacks go, and what signs them. */
export function SetUp({ id }: { readonly id: string }) {
  const loaded = useLoad<CallbackSettings>(`callbacks/projects/${id}`);
  return (
    <Shown loaded={loaded}>
      {(settings) => (
        <>
          <Urls settings={settings} reload={loaded.reload} />
          <DisabledUrls settings={settings} reload={loaded.reload} />
          <Signing settings={settings} reload={loaded.reload} />
        </>
      )}
    </Shown>
  );
}

function Urls({ settings, reload }: SettingsProps) {
  const { words } = useSpeech();
  const [changed, setChanged] = useState<UrlName>();
  return (
    <Panel title={words.callbacks.urls} text={words.callbacks.urlsText}>
      <ul class="rows">
        {URL_NAMES.map((name) => (
          <li key={name}>
            <div class="url-row">
              <strong>{words.callbacks.urlNames[name]}</strong>
              <p class="small">{words.callbacks.urlHints[name]}</p>
              <p>
                {settings[name] === null ? (
                  <span class="nothing">{words.callbacks.noUrl}</span>
                ) : (
                  <code>{settings[name]}</code>
                )}
              </p>
            </div>
            <button
              type="button"
              class="quiet"
              aria-label={words.callbacks.changeOf(words.callbacks.urlNames[name])}
              onClick={() => setChanged(name)}
            >
              {words.callbacks.change}
            </button>
          </li>
        ))}
      </ul>
      {changed === undefined ? null : (
        <ChangeUrl settings={settings} reload={reload} name={changed} onClose={() => setChanged(undefined)} />
      )}
    </Panel>
  );
}

function ChangeUrl(props: SettingsProps & { readonly name: UrlName; readonly onClose: () => void }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const { settings, name } = props;
  const [url, setUrl] = useState(settings[name] ?? "");
  const [trouble, setTrouble] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    setTrouble(undefined);
    const answer = await perform(`callbacks/projects/${settings.project.id}/url`, { name, url: url.trim() });
    if (answer.kind === "ok") {
      await props.reload();
      return props.onClose();
    }
    const isWrong = answer.kind === "refused" && answer.code === "validation_failed";
    setTrouble(isWrong ? words.callbacks.urlWrong : refusalText(words, answer));
  };
  return (
    <Modal title={words.callbacks.urlNames[name]} text={words.callbacks.urlHints[name]} onClose={props.onClose}>
      <form onSubmit={submit}>
        <Notice text={trouble} />
        <TextField
          label={words.callbacks.newUrl}
          hint={words.callbacks.newUrlHint}
          value={url}
          onInput={setUrl}
          maxLength={2048}
        />
        <button type="submit" class="primary wide">
          {words.save}
        </button>
      </form>
    </Modal>
  );
}

/** URLs that answered 410; where there are none, nothing is said of it. */
function DisabledUrls({ settings, reload }: SettingsProps) {
  const { language, words } = useSpeech();
  const { perform } = useAccount();
  const [trouble, setTrouble] = useState<string>();
  if (settings.disabled_urls.length === 0) return null;
  const enable = async (url: string) => {
    const answer = await perform(`callbacks/projects/${settings.project.id}/enable`, { url });
    setTrouble(answer.kind === "ok" ? undefined : refusalText(words, answer));
    await reload();
  };
  return (
    <Panel title={words.callbacks.disabled} text={words.callbacks.disabledText}>
      <Notice text={trouble} />
      <ul class="rows">
        {settings.disabled_urls.map(({ url, disabled_at, held }) => (
          <li key={url}>
            <div class="url-row">
              <code>{url}</code>
              <p class="small">
                {words.callbacks.disabledSince(formatShortMoment(disabled_at, language), countText(held, language))}
              </p>
            </div>
            <button
              type="button"
              class="quiet"
              aria-label={words.callbacks.enableOf(url)}
              onClick={() => void enable(url)}
            >
              {words.callbacks.enable}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
