import { useMemo } from "preact/hooks";
import { decimalsOf } from "../../kit/currencies.ts";
import { Icon } from "../../kit/icon.tsx";
import { useLoad } from "../load.ts";
import { BookMark } from "../parts/badge.tsx";
import { BalanceFigures } from "../parts/balance-figures.tsx";
import { Chart } from "../parts/chart.tsx";
import { Amount, countText, moneyText } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import type { Figures, Flow, FlowKey, Overview as OverviewOfMerchant } from "../wire/reports.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { Attention } from "./attention.tsx";

const PERIODS = ["1", "7", "30"] as const;
type Period = (typeof PERIODS)[number];

/** How the business stands: what it holds, how it goes, and what waits for a person. */
export function Overview() {
  const { words } = useSpeech();
  const { place, go } = useRouter();
  const { projectId, books } = useScope();
  const days: Period = PERIODS.find((each) => each === place.query.get("days")) ?? "7";
  const loaded = useLoad<OverviewOfMerchant>(withQuery("overview", { project: projectId, days }));
  const periods = (
    <fieldset class="tabs">
      <legend class="unseen">{words.overview.period}</legend>
      {PERIODS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="days"
            checked={each === days}
            onChange={() => go(withQuery("", { project: projectId, days: each }), "replace")}
          />
          <span>{words.overview.days[each]}</span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <Screen title={words.overview.title} actions={periods}>
      {books.size > 1 ? <p class="small lead">{words.mixedBooks}</p> : null}
      <Shown loaded={loaded}>
        {(overview) => (
          <div class={loaded.isLoading ? "is-stale" : undefined}>
            <Attention items={overview.attention} />
            <ul class="cards">
              {byWeight(overview, overview.balances).map((balance) => (
                <li key={`${balance.project_id}${balance.currency}`}>
                  <div class="balance-card">
                    <BalanceFigures balance={balance} />
                  </div>
                </li>
              ))}
            </ul>
            {overview.series.length === 0 ? (
              <EmptyState icon={ICONS.overview} title={words.overview.empty} text={words.overview.emptyText} />
            ) : (
              byWeight(overview, overview.series).map((flow) => (
                <FlowPanel
                  key={keyOf(flow)}
                  flow={flow}
                  total={overview.totals.find((each) => keyOf(each) === keyOf(flow))}
                  days={days}
                />
              ))
            )}
          </div>
        )}
      </Shown>
    </Screen>
  );
}

function keyOf({ book, type, currency }: FlowKey): string {
  return `${book} ${type} ${currency}`;
}

type OfCurrency = { readonly book: string; readonly currency: string; readonly type?: string };

/** Live first, then the currencies with most payments; payments before payouts. */
function byWeight<Row extends OfCurrency>({ totals }: OverviewOfMerchant, rows: readonly Row[]): Row[] {
  const weightOf = ({ book, currency }: OfCurrency) =>
    totals
      .filter((each) => each.book === book && each.currency === currency)
      .reduce((sum, { count }) => sum + count, 0);
  return [...rows].sort(
    (a, b) =>
      Number(b.book === "live") - Number(a.book === "live") ||
      weightOf(b) - weightOf(a) ||
      a.currency.localeCompare(b.currency) ||
      Number(b.type === "payin") - Number(a.type === "payin"),
  );
}

/** Payments or payouts of one currency in one book: the figures, and the charts that they come from. */
function FlowPanel(props: { readonly flow: Flow; readonly total: Figures | undefined; readonly days: Period }) {
  const { flow, total, days } = props;
  const { language, words } = useSpeech();
  const { projectId } = useScope();
  const { book, currency, type, points } = flow;
  const name = type === "payin" ? words.overview.payins : words.overview.payouts;
  const unit = 10 ** decimalsOf(currency);
  const moments = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points]);
  const volume = useMemo(
    () => [
      {
        label: words.overview.volume,
        values: points.map((each) => Number(each.volume) / unit),
        colour: "--accent" as const,
      },
    ],
    [points, words],
  );
  const counts = useMemo(
    () => [
      { label: words.overview.count, values: points.map(({ count }) => count), colour: "--chart-soft" as const },
      {
        label: words.overview.succeeded,
        values: points.map(({ success_count }) => success_count),
        colour: "--accent" as const,
      },
    ],
    [points, words],
  );
  const shared = { moments, isHourly: days === "1", language };
  return (
    <Panel
      title={book === "test" ? `${name} · ${currency} · ${words.book.test}` : `${name} · ${currency}`}
      aside={
        <>
          <BookMark book={book} />
          <Link
            to={withQuery(type === "payin" ? "payments" : "payouts", { project: projectId, currency })}
            look="panel-link"
          >
            {name}
            <Icon path={ICONS.forward} />
          </Link>
        </>
      }
    >
      {total === undefined ? null : <FlowFigures total={total} currency={currency} />}
      <div class="charts">
        <Chart
          {...shared}
          label={words.overview.chart(`${name}, ${words.overview.volume}, ${currency}`)}
          series={volume}
          format={(value) => moneyText(Math.round(value * unit), currency, language)}
        />
        <Chart
          {...shared}
          label={words.overview.chart(`${name}, ${words.overview.count}`)}
          series={counts}
          format={(value) => countText(value, language)}
        />
      </div>
    </Panel>
  );
}

function FlowFigures({ total, currency }: { readonly total: Figures; readonly currency: string }) {
  const { language, words } = useSpeech();
  const { volume, count, success_rate, average_success_s } = total;
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  return (
    <dl class="figures">
      <div>
        <dt>{words.overview.volume}</dt>
        <dd>
          <Amount amount={volume} currency={currency} />
        </dd>
      </div>
      <div>
        <dt>{words.overview.count}</dt>
        <dd>{countText(count, language)}</dd>
      </div>
      <div>
        <dt>{words.overview.rate}</dt>
        <dd>{success_rate === null ? words.none : percent.format(success_rate)}</dd>
      </div>
      <div>
        <dt>{words.overview.time}</dt>
        <dd>{average_success_s === null ? words.none : words.overview.seconds(average_success_s)}</dd>
      </div>
    </dl>
  );
}
