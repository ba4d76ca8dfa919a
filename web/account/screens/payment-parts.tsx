import { StatusBadge } from "../parts/badge.tsx";
import { Amount, When } from "../parts/figures.tsx";
import { Panel } from "../parts/panel.tsx";
import type { LedgerLine, TimelineLine } from "../wire/reports.ts";
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
