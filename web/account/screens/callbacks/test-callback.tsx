import { useState } from "preact/hooks";
import { Notice } from "../../../kit/notice.tsx";
import { useLoad } from "../../load.ts";
import { Badge } from "../../parts/badge.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figures.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Shown } from "../../parts/states.tsx";
import type { Refusal } from "../../server.ts";
import { useAccount } from "../../session.ts";
import { type CallbackSettings, TEST_EVENTS, type TestEvent, type TestedCallback } from "../../wire/callbacks.ts";
import type { Words } from "../../words/en.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { errorText } from "./error-text.ts";
import { ScrollText } from "./scroll-text.tsx";

export function TestCallback({ id }: { readonly id: string }) {
  const loaded = useLoad<CallbackSettings>(`callbacks/projects/${id}`);
  return <Shown loaded={loaded}>{(settings) => <TestForm settings={settings} />}</Shown>;
}

/** Sends an example to the merchant's server, and shows both sides of it. */
function TestForm({ settings }: { readonly settings: CallbackSettings }) {
  const { words } = useSpeech();
  const { perform } = useAccount();
  const [event, setEvent] = useState<TestEvent>("payin_success");
  const [url, setUrl] = useState("");
  const [isSending, setSending] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [tested, setTested] = useState<TestedCallback>();
  const submit = async (submitted: Event) => {
    submitted.preventDefault();
    if (isSending) return;
    setSending(true);
    setTrouble(undefined);
    const typed = url.trim();
    const answer = await perform<TestedCallback>(`callbacks/projects/${settings.project.id}/test`, {
      event,
      ...(typed === "" ? {} : { url: typed }),
    });
    setSending(false);
    if (answer.kind === "ok") return setTested(answer.value);
    setTested(undefined);
    setTrouble(testFault(words, answer));
  };
  return (
    <>
      <Panel title={words.callbacks.testTitle} text={words.callbacks.testText}>
        <form class="test-form" onSubmit={submit}>
          <Notice text={trouble} />
          <SelectField
            label={words.callbacks.event}
            value={event}
            options={TEST_EVENTS.map((each) => ({ value: each, name: words.callbacks.events[each] }))}
            onChange={(next) => setEvent(TEST_EVENTS.find((each) => each === next) ?? event)}
          />
          <TextField
            label={words.callbacks.testUrl}
            hint={words.callbacks.testUrlHint}
            placeholder={ownUrl(settings, event) ?? "https://"}
            value={url}
            onInput={setUrl}
            maxLength={2048}
          />
          <button type="submit" class="primary" aria-disabled={isSending}>
            {isSending ? words.callbacks.sending : words.callbacks.send}
          </button>
        </form>
      </Panel>
      <div role="status">{tested === undefined ? null : <Result tested={tested} />}</div>
    </>
  );
}

/** Where the project sends such an event. */
function ownUrl(settings: CallbackSettings, event: TestEvent): string | null {
  if (event.endsWith("_success")) return settings.success_callback_url ?? settings.callback_url;
  if (event.endsWith("_decline")) return settings.decline_callback_url ?? settings.callback_url;
  return settings.callback_url;
}

function testFault(words: Words, answer: Refusal): string {
  if (answer.kind === "refused" && answer.code === "wrong_state") return words.callbacks.testNoUrl;
  if (answer.kind === "refused" && answer.code === "validation_failed") return words.callbacks.urlWrong;
  return refusalText(words, answer);
}

const TONES = { delivered: "good", retried: "bad", disables_url: "bad" } as const;

function Result({ tested }: { readonly tested: TestedCallback }) {
  const { language, words } = useSpeech();
  const { request, answer, verdict, failure, latency_ms } = tested;
  const outcome = failure ?? String(answer?.status);
  const isRedirect = answer !== null && answer.status >= 300 && answer.status < 400;
  const headersOf = (headers: readonly (readonly [string, string])[]) =>
    headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  return (
    <Panel title={words.callbacks.result} look="test-result">
      <p class="test-verdict">
        <Badge tone={TONES[verdict]}>{words.callbacks.verdicts[verdict]}</Badge>
        <strong>{errorText(words, outcome)}</strong>
        <span class="small">{countText(latency_ms, language)} ms</span>
      </p>
      <p class="small">
        {words.callbacks.verdictTexts[verdict]} {isRedirect ? words.callbacks.redirected : null}
      </p>
      <div class="columns">
        <div>
          <h3>{words.callbacks.request}</h3>
          <p class="small">
            POST <code>{request.url}</code>
          </p>
          <ScrollText
            title={words.callbacks.headers}
            name={words.callbacks.request}
            text={headersOf(request.headers)}
          />
          <ScrollText title={words.callbacks.bodyOf} name={words.callbacks.request} text={prettyJson(request.body)} />
        </div>
        {answer === null ? null : (
          <div>
            <h3>{words.callbacks.answer}</h3>
            <p class="small">HTTP {answer.status}</p>
            <ScrollText
              title={words.callbacks.headers}
              name={words.callbacks.answer}
              text={headersOf(answer.headers)}
            />
            {answer.body === "" ? (
              <p class="small">{words.callbacks.emptyBody}</p>
            ) : (
              <ScrollText title={words.callbacks.bodyOf} name={words.callbacks.answer} text={answer.body} />
            )}
            {answer.truncated ? <p class="small">{words.callbacks.truncated}</p> : null}
          </div>
        )}
      </div>
    </Panel>
  );
}

function prettyJson(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}
