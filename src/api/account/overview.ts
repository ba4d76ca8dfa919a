import { type Overview, readOverview } from "../../app/reports/read-overview.ts";
import { minorToJson } from "../../core/money.ts";
import { readOverviewQuestion, type ShownFigures } from "../../core/reports/overview.ts";
import { fail, ok } from "../../core/result.ts";
import { sumToJson } from "./report-json.ts";
import { NO_PROJECT, queryFault, reportQuery, scopeOf } from "./report-query.ts";
import { get } from "./route.ts";

export const OVERVIEW_ROUTES = [
  get({
    path: "overview",
    right: "payments.read",
    query: reportQuery("project", "days"),
    handler: async (deps, { merchantId, query }) => {
      const question = readOverviewQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const now = new Date(deps.clock.nowMs());
      const overview = await readOverview(deps.reportsDb, await scopeOf(deps, merchantId), question.value, now);
      return overview.ok ? ok({ json: overviewJson(overview.value) }) : fail(NO_PROJECT);
    },
  }),
];

function overviewJson({ balances, series, attention }: Overview): object {
  const about = ({ book, direction, currency }: Overview["series"][number]) => ({ book, type: direction, currency });
  const counted = (kind: string, rows: Overview["attention"]["disputes"]) =>
    rows.map(({ projectId, count, oldestAt }) => ({
      ...{ kind, project_id: projectId, count, oldest_at: oldestAt.toISOString() },
    }));
  return {
    balances: balances.map(({ projectId, book, currency, available, locked }) => ({
      ...{ project_id: projectId, book, currency, available: minorToJson(available), locked: minorToJson(locked) },
    })),
    totals: series.map((each) => ({ ...about(each), ...figuresJson(each.total) })),
    series: series.map((each) => ({
      ...about(each),
      points: each.points.map((point) => ({ at: point.at.toISOString(), ...figuresJson(point) })),
    })),
    attention: [
      ...counted("disputes", attention.disputes),
      ...counted("dead_callbacks", attention.deadCallbacks),
      ...counted("disabled_callback_urls", attention.disabledUrls),
      ...counted("waiting_batches", attention.waitingBatches),
      ...attention.expiringKeys.map(({ id, label, projectId, book, notAfter }) => ({
        ...{ kind: "key_expires", key_id: id, label, project_id: projectId, book, not_after: notAfter.toISOString() },
      })),
      ...attention.nearLimits.map(({ projectId, direction, currency, count, countMax, sum, sumMax }) => ({
        ...{ kind: "limit_near", project_id: projectId, type: direction, currency, count, count_max: countMax },
        ...{ sum: sumToJson(BigInt(sum)), sum_max: sumMax === null ? null : sumToJson(BigInt(sumMax)) },
      })),
    ],
  };
}

function figuresJson(figures: ShownFigures): object {
  return {
    count: figures.count,
    success_count: figures.successCount,
    decline_count: figures.declineCount,
    volume: sumToJson(figures.volume),
    success_rate: figures.successRate,
    average_success_s: figures.averageSuccessS,
  };
}
