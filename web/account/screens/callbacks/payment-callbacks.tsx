import { useState } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { When } from "../../parts/figures.tsx";
import { Panel } from "../../parts/panel.tsx";
import { mayDo, useAccount } from "../../session.ts";
import type { CallbackAttempt, PaymentCallback } from "../../wire/reports.ts";
import { refusalText, useSpeech } from "../../words/words.ts";
import { errorText } from "./error-text.ts";
import { ScrollText } from "./scroll-text.tsx";

const TONES = { pending: "busy", held: "wait", delivered: "good", dead: "bad", dismissed: "plain" } as const;

type Resend = (id: string) => Promise<void>;

/** The callbacks of a payment, with every attempt. Each can be sent again. */
export function PaymentCallbacks(props: {
  readonly callbacks: readonly PaymentCallback[];
  readonly reload: () => Promise<void>;
}) {
  const { words } = useSpeech();
  const { session, perform } = useAccount();
  const [said, setSaid] = useState<{ readonly id: string; readonly text: string }>();
  const latest = props.callbacks.at(-1);
  const resend: Resend = async (id) => {
    const answer = await perform(`callbacks/${id}/replay`);
    const isLeft = answer.kind === "refused" && answer.code === "wrong_state";
    const fault = answer.kind === "ok" ? undefined : refusalText(words, answer);
    setSaid({ id, text: isLeft ? words.callbacks.nothingLeft : (fault ?? words.callbacks.resent) });
    await props.reload();
  };
  const mayResend = mayDo(session, "callbacks.manage");
  const aside =
    mayResend && latest !== undefined ? (
      <button type="button" class="quiet" onClick={() => void resend(latest.id)}>
        {words.callbacks.resendLatest}
      </button>
    ) : undefined;
  return (
    <Panel title={words.payment.callbacks} aside={aside}>
      {props.callbacks.length === 0 ? <p class="small">{words.payment.noCallbacks}</p> : null}
      <p class="done" role="status">
        {said?.text}
      </p>
      <ul class="callbacks">
        {props.callbacks.map((callback) => (
          <li key={callback.id}>
            <CallbackLine callback={callback} resend={mayResend ? resend : undefined} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function CallbackLine(props: { readonly callback: PaymentCallback; readonly resend: Resend | undefined }) {
  const { words } = useSpeech();
  const { callback, resend } = props;
  const { attempts, state } = callback;
  return (
    <details>
      <summary>
        <Badge tone={TONES[state as keyof typeof TONES] ?? "plain"}>{words.callbackStates[state] ?? state}</Badge>
        <span class="callback-tells">{reportOf(words, callback.body)}</span>
        <span class="callback-url">{callback.url}</span>
        <span class="small">
          {attempts.length === 0 ? words.payment.noAttempts : words.payment.attempts(attempts.length)}
        </span>
      </summary>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <li key={attempt.number}>
            <AttemptLine attempt={attempt} />
          </li>
        ))}
      </ol>
      <ScrollText title={words.payment.body} name={callback.id} text={JSON.stringify(callback.body, null, 2)} />
      <div class="callback-acts">
        {resend === undefined ? null : (
          <button
            type="button"
            class="quiet"
            aria-label={words.callbacks.resendOf(reportOf(words, callback.body))}
            onClick={() => void resend(callback.id)}
          >
            {words.callbacks.resend}
          </button>
        )}
        <span class="small">{words.callbacks.requisitesNote}</span>
      </div>
    </details>
  );
}

type Named = Readonly<Record<string, string>>;

/** The status that a callback reports. */
function reportOf({ statuses, subStatuses }: { readonly statuses: Named; readonly subStatuses: Named }, body: unknown) {
  const { status, sub_status } = (body as { readonly status?: Partial<Named> } | null)?.status ?? {};
  const name = statuses[status ?? ""] ?? status ?? "";
  return typeof sub_status === "string" ? `${name}: ${subStatuses[sub_status] ?? sub_status}` : name;
}

function AttemptLine({ attempt }: { readonly attempt: CallbackAttempt }) {
  const { words } = useSpeech();
  const { status, failure, answer } = attempt;
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <>
      <When at={attempt.at} full />
      <Badge tone={isGood ? "good" : "bad"}>{status ?? words.payment.noAnswer}</Badge>
      <span class="small">{attempt.latency_ms} ms</span>
      {failure === null ? null : <span class="small">{errorText(words, failure)}</span>}
      {(answer ?? "") === "" ? null : (
        <span class="small answer">
          {words.payment.answer}: <code>{answer}</code>
        </span>
      )}
    </>
  );
}
