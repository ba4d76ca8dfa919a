import { useEffect, useState } from "preact/hooks";
import { filtersOf, isNarrowed, listPath } from "../filters.ts";
import { type Pages, usePages } from "../pages.ts";
import { BookMark, StatusBadge } from "../parts/badge.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { Amount, countText, When } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { ListFilters } from "../parts/list-filters.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { Screen } from "../parts/screen.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import { read } from "../server.ts";
import { mayDo, useAccount } from "../session.ts";
import type { Direction, PaymentList, PaymentRow } from "../wire/reports.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";

/** The list of payments or payouts, with what is filtered in the address. */
export function Payments({ direction }: { readonly direction: Direction }) {
  const { words } = useSpeech();
  const { session, projects } = useAccount();
  const { project } = useScope();
  const { place, go } = useRouter();
  const filters = filtersOf(place.query);
  const path = listPath("payments", direction, filters);
  const pages = usePages<PaymentList, PaymentRow>(path, ({ rows }) => rows);
  const isNew = useNewRows(path, pages);
  // What can be chosen does not depend on what is filtered now; the totals add what was paid before a method was there.
  const scopeCurrencies = (project === undefined ? projects : [project]).flatMap(({ currencies }) => currencies);
  const title = direction === "payin" ? words.nav.payments : words.nav.payouts;
  const csv = <ExportButton path={listPath("payments.csv", direction, filters)} fileName={`${place.path}.csv`} />;
  return (
    <Screen title={title} actions={mayDo(session, "payments.export") ? csv : undefined}>
      <ListFilters
        direction={direction}
        filters={filters}
        currencies={[...scopeCurrencies, ...(pages.value?.totals.sums.map(({ currency }) => currency) ?? [])]}
        onChange={(next) => go(withQuery(place.path, next), "replace")}
      />
      <div role="status" class="news">
        {isNew ? (
          <button type="button" class="link-button" onClick={pages.reload}>
            {words.list.newRows} {words.list.showNew}
          </button>
        ) : null}
      </div>
      <Shown loaded={pages}>
        {(page) => (
          <div class={pages.isLoading ? "is-stale" : undefined}>
            {pages.rows.length === 0 ? (
              <NoRows direction={direction} isFiltered={isNarrowed(filters)} />
            ) : (
              <>
                <Totals direction={direction} totals={page.totals} />
                <PaymentTable rows={pages.rows} title={title} />
                <MoreButton pages={pages} />
              </>
            )}
          </div>
        )}
      </Shown>
    </Screen>
  );
}

const LOOK_EVERY_MS = 20_000;

/** Whether the list has a newer first row than the one that is shown. It is announced, and nothing moves by itself. */
function useNewRows(path: string, pages: Pages<PaymentList, PaymentRow>): boolean {
  const [isNew, setNew] = useState(false);
  const shown = pages.value?.rows[0]?.request_id;
  const isReady = pages.value !== undefined;
  useEffect(() => {
    setNew(false);
    if (!isReady) return;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const answer = await read<PaymentList>(path);
      if (answer.kind === "ok") setNew(answer.value.rows[0]?.request_id !== shown);
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [path, shown, isReady]);
  return isNew;
}

function NoRows({ direction, isFiltered }: { readonly direction: Direction; readonly isFiltered: boolean }) {
  const { words } = useSpeech();
  const icon = direction === "payin" ? ICONS.payments : ICONS.payouts;
  if (isFiltered) {
    return <EmptyState icon={icon} title={words.list.emptyFiltered} text={words.list.emptyFilteredText} />;
  }
  return direction === "payin" ? (
    <EmptyState icon={icon} title={words.list.emptyPayments} text={words.list.emptyPaymentsText} />
  ) : (
    <EmptyState icon={icon} title={words.list.emptyPayouts} text={words.list.emptyPayoutsText} />
  );
}

function Totals({ direction, totals }: { readonly direction: Direction } & Pick<PaymentList, "totals">) {
  const { language, words } = useSpeech();
  const count = countText(totals.count, language);
  return (
    <p class="totals">
      <span>{direction === "payin" ? words.list.payments(count) : words.list.payouts(count)}</span>
      {totals.sums.map(({ book, currency, amount }) => (
        <span key={`${book}${currency}`}>
          <BookMark book={book} /> <Amount amount={amount} currency={currency} />
        </span>
      ))}
    </p>
  );
}

function PaymentTable({ rows, title }: { readonly rows: readonly PaymentRow[]; readonly title: string }) {
  const { words } = useSpeech();
  const { project } = useScope();
  const { projects } = useAccount();
  const hasProjects = project === undefined && projects.length > 1;
  return (
    <div class="table-place">
      <table class="list payment-list">
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {words.list.columnAmount}
            </th>
            <th scope="col">{words.list.columnStatus}</th>
            <th scope="col">{words.list.columnId}</th>
            <th scope="col">{words.list.columnMethod}</th>
            <th scope="col" class="customer">
              {words.list.columnCustomer}
            </th>
            {hasProjects ? (
              <th scope="col" class="project">
                {words.list.columnProject}
              </th>
            ) : null}
            <th scope="col">{words.list.columnCreated}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.request_id} row={row} hasProject={hasProjects} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, hasProject }: { readonly row: PaymentRow; readonly hasProject: boolean }) {
  const { words } = useSpeech();
  const { nameOf, projectId } = useScope();
  return (
    <tr>
      <td class="number sum">
        <Amount amount={row.amount} currency={row.currency} />
      </td>
      <td class="state">
        <StatusBadge status={row.status} sub={row.sub_status} />
      </td>
      <td class="id">
        {/* Before the id, which may be cut: the mark never is. */}
        <BookMark book={row.book} />
        <Link
          to={withQuery(`${row.type === "payin" ? "payments" : "payouts"}/${row.request_id}`, { project: projectId })}
          look="row-link"
        >
          {row.payment_id}
        </Link>
      </td>
      <td class="method">{row.method === null ? words.none : (words.methods[row.method] ?? row.method)}</td>
      <td class="customer">{row.customer_id}</td>
      {hasProject ? <td class="project">{nameOf(row.project_id)}</td> : null}
      <td class="when">
        <When at={row.created_at} />
      </td>
    </tr>
  );
}
