import { useState } from "preact/hooks";
import { Badge } from "../account/parts/badge.tsx";
import { ICONS } from "../account/parts/icons.ts";
import { Panel } from "../account/parts/panel.tsx";
import { EmptyState } from "../account/parts/states.tsx";
import { ScrollText } from "../account/screens/callbacks/scroll-text.tsx";
import { useSpeech } from "../account/words/words.ts";
import { formatSecond } from "../kit/dates.ts";
import { Icon } from "../kit/icon.tsx";
import { Echo } from "./echo.tsx";
import type { EchoedCallback } from "./wire.ts";
import { useDeskWords } from "./words/words.ts";

/** Callbacks as a merchant's server gets them, newest first, each with its verification. */
export function Callbacks(props: {
  readonly echoUrl: string | undefined;
  readonly callbacks: readonly EchoedCallback[];
}) {
  const desk = useDeskWords();
  return (
    <Panel title={desk.callbacks} text={desk.callbacksText}>
      {props.echoUrl === undefined ? null : <Echo url={props.echoUrl} />}
      {props.callbacks.length === 0 ? (
        <EmptyState icon={ICONS.callbacks} title={desk.noCallbacks} text={desk.noCallbacksText} />
      ) : (
        <EchoedList callbacks={props.callbacks} />
      )}
    </Panel>
  );
}

const SHOWN_FIRST = 10;

function EchoedList({ callbacks }: { readonly callbacks: readonly EchoedCallback[] }) {
  const { words } = useSpeech();
  const desk = useDeskWords();
  const [areAllShown, setAllShown] = useState(false);
  const shown = areAllShown ? callbacks : callbacks.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul aria-label={desk.callbacks}>
        {shown.map((callback) => (
          <li key={callback.id}>
            <Echoed callback={callback} />
          </li>
        ))}
      </ul>
      {shown.length === callbacks.length ? null : (
        <button type="button" class="quiet" onClick={() => setAllShown(true)}>
          {words.loadMore}
        </button>
      )}
    </>
  );
}

function Echoed({ callback }: { readonly callback: EchoedCallback }) {
  const { language } = useSpeech();
  const desk = useDeskWords();
  const { checks, event, payment_id, answered, received_at } = callback;
  const isGenuine = checks.length > 0 && checks.every(({ ok }) => ok);
  const name = `${event ?? desk.noEvent} ${payment_id ?? ""}`.trim();
  return (
    <details class="echo-entry">
      <summary class="echo-head">
        <Icon look="echo-mark" path={ICONS.forward} />
        <strong>{event ?? desk.noEvent}</strong>
        <Badge tone={isGenuine ? "good" : "bad"}>{isGenuine ? desk.genuine : desk.notGenuine}</Badge>
        <span class="echo-of">{payment_id}</span>
        <span class="small">
          {desk.answered(answered)} ·{" "}
          <time dateTime={received_at} title={received_at}>
            {formatSecond(received_at, language)}
          </time>
        </span>
      </summary>
      <div class="echo-body">
        <h3>{desk.checks}</h3>
        <Checks checks={checks} />
        <ScrollText title={desk.headers} name={name} text={headersText(callback.headers)} />
        <ScrollText title={desk.body} name={name} text={prettyBody(callback.body)} />
      </div>
    </details>
  );
}

/** The word says whether a step is right; the sign repeats it. */
function Checks({ checks }: Pick<EchoedCallback, "checks">) {
  const desk = useDeskWords();
  return (
    <ol class="checks">
      {checks.map(({ step, ok, detail }) => (
        <li key={step} class={ok ? "check check-good" : "check check-bad"}>
          <Icon path={ok ? ICONS.tick : ICONS.cross} />
          <span>
            <span class="unseen">{ok ? desk.right : desk.wrong} </span>
            <strong>{desk.steps[step] ?? step}</strong>
            <span class="small">{detail}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function headersText(headers: EchoedCallback["headers"]): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

/** As it came where it is not JSON. */
function prettyBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
