import { StatusBadge } from "../parts/badge.tsx";
import { When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import type { PayerAttempt } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

/** Each time that the payer of the hosted page chose how to pay. Other payments have none. */
export function PayerAttempts({ attempts }: { readonly attempts: readonly PayerAttempt[] }) {
  const { words } = useSpeech();
  if (attempts.length === 0) return null;
  return (
    <Panel title={words.payment.payerAttempts}>
      <ol class="timeline">
        {attempts.map((attempt) => (
          <li key={attempt.number} class={`dot-${attempt.status}`}>
            <p class="timeline-what">
              <strong>{words.methods[attempt.method] ?? attempt.method}</strong>
              {attempt.card === undefined ? null : <code>{attempt.card.pan}</code>}
              {attempt.bank === undefined ? null : <span>{attempt.bank}</span>}
              <StatusBadge status={attempt.status} sub={null} />
            </p>
            <p class="small">
              <When at={attempt.created_at} full />
              {attempt.decline_code === null
                ? null
                : ` · ${words.declines[attempt.decline_code] ?? attempt.decline_code}`}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
