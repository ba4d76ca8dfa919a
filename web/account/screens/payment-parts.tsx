import { Badge, StatusBadge } from "../parts/badge.tsx";
import { Amount, When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import type { CallbackAttempt, PaymentCallback, PaymentDetail } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

type Props = { readonly payment: PaymentDetail };

/** What happened, the newest last, with who did it. */
export function Timeline({ payment }: Props) {
  const { words } = useSpeech();
  return (
    <Panel title={words.payment.timeline}>
      <ol class="timeline">
        {payment.timeline.map((line) => (
          <li key={`${line.at}${line.event}`} class={`dot-${line.status}`}>
            <p class="timeline-what">
              <strong>{words.events[line.event] ?? line.event}</strong>
              <StatusBadge status={line.status} sub={line.sub_status} />
            </p>
            <p class="small">
              <When at={line.at} full /> · {line.actor}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

const TONES = { pending: "busy", delivered: "good", dead: "bad" } as const;

export function Callbacks({ payment }: Props) {
  const { words } = useSpeech();
  return (
    <Panel title={words.payment.callbacks}>
      {payment.callbacks.length === 0 ? <p class="small">{words.payment.noCallbacks}</p> : null}
      <ul class="callbacks">
        {payment.callbacks.map((callback) => (
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
          <li key={attempt.at}>
            <AttemptLine attempt={attempt} />
          </li>
        ))}
      </ol>
      {callback.body === null ? null : (
        <>
          <h3>{words.payment.body}</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it */}
          <section class="scroll-text" aria-label={words.payment.body} tabIndex={0}>
            <pre>{callback.body}</pre>
          </section>
        </>
      )}
    </details>
  );
}

function AttemptLine({ attempt }: { readonly attempt: CallbackAttempt }) {
  const { words } = useSpeech();
  const isGood = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  return (
    <>
      <When at={attempt.at} full />
      <Badge tone={isGood ? "good" : "bad"}>{attempt.status ?? words.payment.noAnswer}</Badge>
      {attempt.ms === null ? null : <span class="small">{attempt.ms} ms</span>}
      {attempt.error === null ? null : <span class="small">{attempt.error}</span>}
    </>
  );
}

export function LedgerLines({ payment }: Props) {
  const { words } = useSpeech();
  const accountName = (account: string) => words.accounts[account.split(":")[0] ?? ""] ?? account;
  return (
    <Panel title={words.payment.ledger}>
      {payment.ledger.length === 0 ? (
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
              {payment.ledger.map((line) => (
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
