import { useEffect } from "preact/hooks";
import { Icon } from "../../../kit/icon.tsx";
import { type Pages, usePages } from "../../pages.ts";
import { BookMark } from "../../parts/badge.tsx";
import { ExportButton } from "../../parts/export-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Amount, countText, moneyText, When } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useRouter } from "../../router.ts";
import type { BatchRow, BatchView } from "../../wire/pay-out.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { BatchActions } from "./batch-actions.tsx";
import { BatchBadge } from "./batch-list.tsx";
import { BatchNotes } from "./batch-notes.tsx";
import { BatchRows } from "./batch-rows.tsx";

const LOOK_EVERY_MS = 1_500;

/** One batch: what it pays, who decides about it, how far it is, and the result of each row. */
export function Batch({ id }: { readonly id: string }) {
  const { words } = useSpeech();
  const { place } = useRouter();
  const state = place.query.get("state") ?? undefined;
  const path = withQuery(`payout-batches/${encodeURIComponent(id)}`, { state });
  const pages = usePages<BatchView, BatchRow>(path, ({ rows }) => rows);
  const isMaking = pages.value?.batch.state === "making";
  useEffect(() => {
    if (!isMaking) return;
    const timer = setInterval(() => {
      if (!document.hidden) void pages.reload();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isMaking, path]);
  const back = (
    <p class="way-back">
      <Link to="pay-out" look="back-link">
        <Icon path={ICONS.back} />
        {words.payOut.back}
      </Link>
    </p>
  );
  const isMissing = pages.trouble?.kind === "refused" && [400, 404].includes(pages.trouble.status);
  const isOver = pages.value?.batch.state === "done";
  const csv = (
    <ExportButton path={`payout-batches/${id}/results.csv`} fileName={`payout-results-${id.slice(-8)}.csv`} />
  );
  return (
    <Screen title={words.payOut.batch} before={back} actions={isMaking || isOver ? csv : undefined}>
      {isMissing ? (
        <EmptyState icon={ICONS.exclamation} title={words.payOut.missing} text={words.payOut.missingText} />
      ) : (
        <Shown loaded={pages}>{(view) => <View view={view} pages={pages} />}</Shown>
      )}
    </Screen>
  );
}

function View({ view, pages }: { readonly view: BatchView; readonly pages: Pages<BatchView, BatchRow> }) {
  const { language, words } = useSpeech();
  const { books } = useScope();
  const { batch } = view;
  return (
    <>
      {batch.book === "test" && books.size > 1 ? (
        <p class="test-band inline-band">
          <strong>{words.testBand.title}</strong> <span>{words.testBand.text}</span>
        </p>
      ) : null}
      <div class="payment-head">
        <p class="payment-sum">
          {batch.totals.map(({ currency, amount }) => moneyText(amount, currency, language)).join(" + ")}
        </p>
        <BatchBadge state={batch.state} />
        <BookMark book={batch.book} />
      </div>
      <BatchNotes view={view} />
      {batch.state === "making" ? <Progress view={view} /> : null}
      <BatchActions view={view} reload={pages.reload} />
      <div class="columns">
        <Summary view={view} />
        <Sums view={view} />
      </div>
      <BatchRows view={view} pages={pages} />
    </>
  );
}

function Progress({ view }: { readonly view: BatchView }) {
  const { language, words } = useSpeech();
  const { row_count, progress } = view.batch;
  const tried = row_count - progress.waiting;
  const text = words.payOut.progress(countText(tried, language), countText(row_count, language));
  return (
    <div class="batch-progress">
      <progress value={tried} max={row_count} aria-label={text} />
      <span class="small">{text}</span>
    </div>
  );
}

function Summary({ view }: { readonly view: BatchView }) {
  const { language, words } = useSpeech();
  const { nameOf } = useScope();
  const { batch } = view;
  return (
    <Panel title={words.payment.details}>
      <Facts
        rows={[
          { key: "project", name: words.payment.project, value: nameOf(batch.project_id) },
          { key: "file", name: words.payOut.fileName, value: batch.file_name },
          { key: "count", name: words.payOut.columnWhat, value: countText(batch.row_count, language) },
          { key: "author", name: words.payOut.preparedBy, value: batch.author.name },
          { key: "created", name: words.payment.created, value: <When at={batch.created_at} full /> },
          { key: "approved", name: words.payOut.approvedBy, value: batch.approved_by },
          { key: "refused", name: words.payOut.refusedBy, value: batch.refused_by },
          { key: "reason", name: words.payOut.reason, value: batch.refusal },
        ]}
      />
    </Panel>
  );
}

function Sums({ view }: { readonly view: BatchView }) {
  const { words } = useSpeech();
  const { batch } = view;
  return (
    <Panel title={words.payment.money} look="money-panel">
      {batch.totals.map(({ currency, amount, fee }) => {
        const available = view.available.find((each) => each.currency === currency);
        return (
          <Facts
            key={currency}
            rows={[
              { key: "sum", name: words.payOut.sum, value: <Amount amount={amount} currency={currency} /> },
              { key: "fee", name: words.payOut.fee, value: <Amount amount={fee} currency={currency} /> },
              {
                key: "net",
                name: words.payOut.available,
                value: available === undefined ? null : <Amount amount={available.amount} currency={currency} />,
              },
            ]}
          />
        );
      })}
    </Panel>
  );
}
