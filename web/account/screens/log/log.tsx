import { useEffect, useState } from "preact/hooks";
import { formatMoment } from "../../../kit/dates.ts";
import { type Pages, usePages } from "../../pages.ts";
import { Badge, BookMark } from "../../parts/badge.tsx";
import { countText, When } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { Link } from "../../parts/link.tsx";
import { MoreButton } from "../../parts/more-button.tsx";
import { Screen } from "../../parts/screen.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useRouter } from "../../router.ts";
import { read } from "../../server.ts";
import type { CallList, CallRow } from "../../wire/log.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { CallPanel } from "./call-panel.tsx";
import { latencyText, shortPath, toneOf } from "./call-text.ts";
import { isNarrowed, LogFilters, type LogQuery, logPath, logQueryOf } from "./log-filters.tsx";

/** What the merchant's servers called: a list, and beside it the call that is chosen. */
export function RequestLog() {
  const { words } = useSpeech();
  const { place, go } = useRouter();
  const query = logQueryOf(place.query);
  const callId = place.query.get("call") ?? undefined;
  const path = logPath(query);
  const pages = usePages<CallList, CallRow>(path, ({ rows }) => rows);
  const fresh = useNewCalls(path, pages);
  return (
    <Screen title={words.log.title}>
      <div class={callId === undefined ? "log-place" : "log-place has-call"}>
        <div class="log-main">
          <p class="small lead">{words.log.text}</p>
          <LogFilters query={query} onChange={(next) => go(withQuery("log", next), "replace")} />
          <div role="status" class="news">
            {fresh.count > 0 ? (
              <button type="button" class="link-button" onClick={pages.reload}>
                {words.log.newCalls(fresh.count, fresh.isMore)} {words.log.showNew}
              </button>
            ) : null}
          </div>
          <Shown loaded={pages}>
            {(page) => (
              <div class={pages.isLoading ? "is-stale" : undefined}>
                <Rows pages={pages} page={page} query={query} callId={callId} />
              </div>
            )}
          </Shown>
        </div>
        {callId === undefined ? null : <CallPanel key={callId} id={callId} closeTo={withQuery("log", query)} />}
      </div>
    </Screen>
  );
}

type Fresh = { readonly count: number; readonly isMore: boolean };
const NONE: Fresh = { count: 0, isMore: false };
const LOOK_EVERY_MS = 10_000;

/** How many calls are newer than the first one that is shown. They are announced, and nothing moves by itself. */
function useNewCalls(path: string, pages: Pages<CallList, CallRow>): Fresh {
  const [fresh, setFresh] = useState(NONE);
  const { value } = pages;
  const newest = value?.rows[0]?.id ?? "";
  useEffect(() => {
    setFresh(NONE);
    if (value === undefined) return;
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const answer = await read<CallList>(path);
      if (answer.kind !== "ok") return;
      const { rows } = answer.value;
      const count = rows.filter(({ id }) => id > newest).length;
      setFresh({ count, isMore: count === rows.length && answer.value.next !== null });
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [path, value]);
  return fresh;
}

function Rows(props: {
  readonly pages: Pages<CallList, CallRow>;
  readonly page: CallList;
  readonly query: LogQuery;
  readonly callId: string | undefined;
}) {
  const { language, words } = useSpeech();
  const { pages, page, query } = props;
  const { stopped_at, missed } = page;
  const stopped =
    stopped_at === null ? null : <p class="small">{words.log.stopped(formatMoment(stopped_at, language))}</p>;
  if (pages.rows.length === 0) {
    return (
      <>
        {isNarrowed(query) ? (
          <EmptyState icon={ICONS.log} title={words.log.emptyFiltered} text={words.log.emptyFilteredText} />
        ) : (
          <EmptyState icon={ICONS.log} title={words.log.empty} text={words.log.emptyText} />
        )}
        {stopped}
        <MoreButton pages={pages} />
      </>
    );
  }
  return (
    <>
      {missed > 0 ? <p class="small">{words.log.missed(countText(missed, language))}</p> : null}
      <CallTable {...props} rows={pages.rows} />
      {stopped}
      <MoreButton pages={pages} />
    </>
  );
}

function CallTable(props: {
  readonly rows: readonly CallRow[];
  readonly query: LogQuery;
  readonly callId: string | undefined;
}) {
  const { words } = useSpeech();
  return (
    <div class="table-place">
      <table class="list call-list">
        <caption class="unseen">{words.log.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.log.columnStatus}</th>
            <th scope="col">{words.log.columnCall}</th>
            <th scope="col" class="payment">
              {words.log.columnPayment}
            </th>
            <th scope="col" class="key">
              {words.log.columnKey}
            </th>
            <th scope="col" class="number latency">
              {words.log.columnLatency}
            </th>
            <th scope="col">{words.log.columnWhen}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <Row key={row.id} row={row} query={props.query} isChosen={row.id === props.callId} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  row,
  query,
  isChosen,
}: {
  readonly row: CallRow;
  readonly query: LogQuery;
  readonly isChosen: boolean;
}) {
  const { language, words } = useSpeech();
  return (
    <tr class={isChosen ? "is-chosen" : undefined}>
      <td class="state">
        <Badge tone={toneOf(row.status)}>{row.status}</Badge>
      </td>
      <td class="call">
        <BookMark book={row.book} />
        <Link to={withQuery("log", { ...query, call: row.id })} look="row-link" isCurrent={isChosen}>
          {shortPath(row.path)}
        </Link>
        {row.code === null ? null : <span class="small error-code">{row.code}</span>}
      </td>
      <td class="payment">{row.payment_id}</td>
      <td class="key">{row.is_signed ? (row.key?.label ?? "") : words.log.unsigned}</td>
      <td class="number latency">{words.log.ms(latencyText(row.latency_ms, language))}</td>
      <td class="when">
        <When at={row.at} full />
      </td>
    </tr>
  );
}
