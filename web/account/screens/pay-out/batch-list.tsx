import { usePages } from "../../pages.ts";
import { Badge, BookMark } from "../../parts/badge.tsx";
import { Amount, countText, When } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { MoreButton } from "../../parts/more-button.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import type { Batch, BatchState, BatchList as Page } from "../../wire/pay-out.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";

const TONES = {
  checked: "plain",
  awaiting_approval: "wait",
  making: "busy",
  done: "good",
  refused: "bad",
  withdrawn: "plain",
} as const satisfies Record<BatchState, string>;

export function BatchBadge({ state }: { readonly state: BatchState }) {
  const { words } = useSpeech();
  return <Badge tone={TONES[state]}>{words.payOut.states[state]}</Badge>;
}

/** What was prepared and made by hand before. */
export function BatchList() {
  const { words } = useSpeech();
  const { projectId } = useScope();
  const path = withQuery("payout-batches", { project: projectId });
  const pages = usePages<Page, Batch>(path, ({ batches }) => batches);
  return (
    <section class="batches" aria-label={words.payOut.batches}>
      <h2>{words.payOut.batches}</h2>
      <Shown loaded={pages}>
        {() =>
          pages.rows.length === 0 ? (
            <EmptyState icon={ICONS.payOut} title={words.payOut.noBatches} text={words.payOut.noBatchesText} />
          ) : (
            <>
              <BatchTable batches={pages.rows} />
              <MoreButton pages={pages} />
            </>
          )
        }
      </Shown>
    </section>
  );
}

function BatchTable({ batches }: { readonly batches: readonly Batch[] }) {
  const { words } = useSpeech();
  return (
    <div class="table-place">
      <table class="list payment-list batch-list">
        <caption class="unseen">{words.payOut.batches}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {words.payOut.columnSum}
            </th>
            <th scope="col">{words.payOut.columnState}</th>
            <th scope="col">{words.payOut.columnWhat}</th>
            <th scope="col">{words.payOut.columnAuthor}</th>
            <th scope="col">{words.payOut.columnCreated}</th>
          </tr>
        </thead>
        <tbody>
          {batches.map((batch) => (
            <Row key={batch.id} batch={batch} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ batch }: { readonly batch: Batch }) {
  const { language, words } = useSpeech();
  return (
    <tr>
      <td class="number sum">
        {batch.totals.map(({ currency, amount }) => (
          <div key={currency}>
            <Amount amount={amount} currency={currency} />
          </div>
        ))}
      </td>
      <td class="state">
        <BatchBadge state={batch.state} />
      </td>
      <td class="id">
        <BookMark book={batch.book} />
        <Link to={`pay-out/${batch.id}`} look="row-link">
          {batch.file_name ?? words.payOut.sources[batch.source]}
        </Link>{" "}
        {batch.row_count > 1 ? <span class="times">× {countText(batch.row_count, language)}</span> : null}
      </td>
      <td class="method">{batch.author.name}</td>
      <td class="when">
        <When at={batch.created_at} />
      </td>
    </tr>
  );
}
