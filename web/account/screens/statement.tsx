import { usePages } from "../pages.ts";
import { Amount, When } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import type { Standing, Statement, StatementLine } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

type Props = { readonly path: string; readonly currency: string };

/** Every ledger line with the balance after it, between the opening and the closing balance. */
export function StatementTable({ path, currency }: Props) {
  const { words } = useSpeech();
  const pages = usePages<Statement, StatementLine>(path, ({ lines }) => lines);
  return (
    <Shown loaded={pages}>
      {(statement) => (
        <>
          <Ends {...statement} currency={currency} />
          {pages.rows.length === 0 ? (
            <EmptyState icon={ICONS.balance} title={words.balance.empty} text={words.balance.emptyText} />
          ) : (
            <>
              <Lines lines={pages.rows} currency={currency} />
              <MoreButton pages={pages} />
            </>
          )}
        </>
      )}
    </Shown>
  );
}

type EndsProps = { readonly opening: Standing; readonly closing: Standing; readonly currency: string };

export function Ends({ opening, closing, currency }: EndsProps) {
  const { words } = useSpeech();
  return (
    <dl class="ends">
      <div>
        <dt>{words.balance.opening}</dt>
        <dd>
          <Amount amount={totalOf(opening)} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>{words.balance.closing}</dt>
        <dd>
          <Amount amount={totalOf(closing)} currency={currency} />
        </dd>
      </div>
    </dl>
  );
}

/** What a balance is worth: both of its accounts. */
export function totalOf({ available, locked }: Standing): number {
  return available + locked;
}

function Lines({ lines, currency }: { readonly lines: readonly StatementLine[]; readonly currency: string }) {
  const { words } = useSpeech();
  return (
    <div class="table-place">
      <table class="list statement-list">
        <caption class="unseen">{words.balance.statement}</caption>
        <thead>
          <tr>
            <th scope="col">{words.balance.when}</th>
            <th scope="col">{words.balance.entry}</th>
            <th scope="col">{words.balance.paymentId}</th>
            {[words.balance.available, words.balance.locked, words.balance.running].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={line.id} line={line} currency={currency} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ line, currency }: { readonly line: StatementLine; readonly currency: string }) {
  const { words } = useSpeech();
  const { change, after, payment_id } = line;
  const list = line.type === "payout" ? "payouts" : "payments";
  return (
    <tr>
      <td class="when">
        <When at={line.at} />
      </td>
      <td class="entry">{words.kinds[line.kind] ?? line.kind}</td>
      <td class="id">
        {payment_id === null ? (
          (line.reference ?? words.none)
        ) : (
          <Link to={`${list}/${line.subject_id}`} look="row-link">
            {payment_id}
          </Link>
        )}
      </td>
      <td class="number sum" data-label={words.balance.available}>
        <Change amount={change.available} currency={currency} />
      </td>
      <td class="number locked" data-label={words.balance.locked}>
        <Change amount={change.locked} currency={currency} />
      </td>
      <td class="number running" data-label={words.balance.running}>
        <Amount amount={totalOf(after)} currency={currency} />
      </td>
    </tr>
  );
}

/** What a line adds to one account. Nothing is a dash, so that what moved stands out. */
function Change({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const { words } = useSpeech();
  return amount === 0 ? (
    <span class="nothing">{words.none}</span>
  ) : (
    <Amount amount={amount} currency={currency} signed />
  );
}
