import { Badge, StatusBadge } from "../parts/badge.tsx";
import { Amount, When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import type { CallbackAttempt, LedgerLine, PaymentCallback, TimelineLine } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

/** What happened, the newest last, with who did it. */
export function Timeline({ lines }: { readonly lines: readonly TimelineLine[] }) {
  const { words } = useSpeech();
  return (
    <Panel title={words.payment.timeline}>
      <ol class="timeline">
        {lines.map((line) => (
          <li key={line.number} class={`dot-${line.to.status}`}>
            <p class="timeline-what">
              <strong>{words.events[line.event] ?? line.event}</strong>
              <StatusBadge status={line.to.status} sub={line.to.sub_status} />
            </p>
            <p class="small">
              <When at={line.at} full /> · {words.actors[line.actor] ?? line.actor}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const TONES = { pending: "busy", delivered: "good", dead: "bad" } as const;

export function Callbacks({ callbacks }: { readonly callbacks: readonly PaymentCallback[] }) {
  const { words } = useSpeech();
  return (
    <Panel title={words.payment.callbacks}>
      {callbacks.length === 0 ? <p class="small">{words.payment.noCallbacks}</p> : null}
      <ul class="callbacks">
        {callbacks.map((callback) => (
          <li key={callback.id}>
            <CallbackLine callback={callback} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function CallbackLine({ callback }: { readonly callback: PaymentCallback }) {
  const { words } = useSpeech();
  const { attempts, state } = callback;
  return (
    <details>
      <summary>
        <Badge tone={TONES[state as keyof typeof TONES] ?? "plain"}>{words.callbackStates[state] ?? state}</Badge>
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
      <ScrollText title={words.payment.body} id={callback.id} text={bodyText(callback.body)} />
    </details>
  );
}

function bodyText(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body, null, 2);
}

function ScrollText({ title, id, text }: { readonly title: string; readonly id: string; readonly text: string }) {
  return (
    <>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it */}
      <section class="scroll-text" aria-label={`${title} ${id}`} tabIndex={0}>
        <pre>{text}</pre>
      </section>
    </>
  );
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
      {failure === null ? null : <span class="small">{failure}</span>}
      {(answer ?? "") === "" ? null : (
        <span class="small answer">
          {words.payment.answer}: <code>{answer}</code>
        </span>
      )}
    </>
  );
}

export function LedgerLines({ lines }: { readonly lines: readonly LedgerLine[] }) {
  const { words } = useSpeech();
  const accountName = (account: string) => words.accounts[account.split(":")[0] ?? ""] ?? account;
  return (
    <Panel title={words.payment.ledger}>
      {lines.length === 0 ? (
        <p class="small">{words.payment.noLedger}</p>
      ) : (
        <div class="table-place flat">
          <table class="list ledger-list">
            <caption class="unseen">{words.payment.ledger}</caption>
            <thead>
              <tr>
                <th scope="col">{words.payment.ledgerKind}</th>
                <th scope="col">{words.payment.ledgerFrom}</th>
                <th scope="col">{words.payment.ledgerTo}</th>
                <th scope="col" class="number">
                  {words.payment.amount}
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td class="entry">
                    {words.kinds[line.kind] ?? line.kind}
                    <span class="small">
                      <When at={line.at} />
                    </span>
                  </td>
                  <td class="from">{accountName(line.from)}</td>
                  <td class="to">{accountName(line.to)}</td>
                  <td class="number sum">
                    <Amount amount={line.amount} currency={line.currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
