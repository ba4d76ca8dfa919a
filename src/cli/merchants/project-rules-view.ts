import type { RouteCondition, RouteEntry } from "../../core/merchants/route-entry.ts";
import { parseRoute } from "../../core/merchants/route-text.ts";
import { type Minor, minorToJson } from "../../core/money.ts";
import type { ProjectLimits } from "../../store/merchants/project-limits.ts";
import type { ProjectRoute } from "../../store/merchants/project-routes.ts";
import { renderTable } from "../kit/output.ts";

/** How a project's limits of a day and its routes are shown. */
export function renderRules(limits: readonly ProjectLimits[], routes: readonly ProjectRoute[]): string {
  const shownLimits = limits.length === 0 ? "No limit of a day is set." : renderLimits(limits);
  const shownRoutes = routes.length === 0 ? "No route is chosen: the default is used." : renderRoutes(routes);
  return `\n${shownLimits}\n\n${shownRoutes}`;
}

export function renderLimits(limits: readonly ProjectLimits[]): string {
  const columns = [
    { title: "LIMIT" },
    { title: "DAILY COUNT", align: "right" },
    { title: "DAILY SUM", align: "right" },
    { title: "CUSTOMER DAILY COUNT", align: "right" },
    { title: "CUSTOMER DAILY SUM", align: "right" },
  ] as const;
  const rows = limits.map((limit) => [
    `${limit.direction}:${limit.currency}`,
    showLimit(limit.countMax),
    showLimit(limit.sumMax),
    showLimit(limit.customerCountMax),
    showLimit(limit.customerSumMax),
  ]);
  return renderTable(columns, rows);
}

function showLimit(limit: number | bigint | null): string {
  return limit === null ? "none" : String(limit);
}

export function renderRoutes(routes: readonly ProjectRoute[]): string {
  const rows = routes.map(({ direction, method, providers, rules }) => [
    `${direction}:${method}`,
    providers.length === 0 ? "the default" : (rules ?? providers.join(", ")),
  ]);
  return renderTable([{ title: "ROUTE" }, { title: "PROVIDERS" }], rows);
}

export function limitsJson(limits: ProjectLimits) {
  return {
    direction: limits.direction,
    currency: limits.currency,
    daily_count: limits.countMax,
    daily_sum: sumJson(limits.sumMax),
    customer_daily_count: limits.customerCountMax,
    customer_daily_sum: sumJson(limits.customerSumMax),
  };
}

function sumJson(sum: Minor | null): number | null {
  return sum === null ? null : minorToJson(sum);
}

export function routeJson({ direction, method, providers, rules }: ProjectRoute) {
  const entries = rules === null || rules === undefined ? undefined : parseRoute(rules);
  return { direction, method, providers, ...(entries?.ok && { entries: entries.value.map(entryJson) }) };
}

function entryJson({ provider, rank, weight, when }: RouteEntry) {
  return { provider, rank, weight, when: when === undefined ? null : conditionJson(when) };
}

function conditionJson({ minAmount, maxAmount, currencies, countries, banks }: RouteCondition) {
  return {
    ...(minAmount === undefined ? {} : { min_amount: minorToJson(minAmount) }),
    ...(maxAmount === undefined ? {} : { max_amount: minorToJson(maxAmount) }),
    ...(currencies && { currencies }),
    ...(countries && { countries }),
    ...(banks && { banks }),
  };
}
