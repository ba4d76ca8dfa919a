import { decimalsOf } from "../kit/currencies.ts";
import type { Direction } from "./wire/reports.ts";
import { withQuery } from "./with-query.ts";

/** The filters of a list, as they stand in the address. */
const FILTERS = [
  "q",
  "status",
  "method",
  "currency",
  "min",
  "max",
  "from",
  "to",
  "project",
  "customer",
  "sort",
] as const;
type FilterName = (typeof FILTERS)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(FILTERS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])));
}

/** Whether anything but the project and the order narrows the list. */
export function isNarrowed(filters: Filters): boolean {
  return FILTERS.some((name) => name !== "project" && name !== "sort" && (filters[name] ?? "") !== "");
}

/** What the server is asked for: amounts in minor units, and the reader's days as moments. */
export function listPath(path: "payments" | "payments.csv", direction: Direction, filters: Filters): string {
  const { min, max, from, to, q, ...rest } = filters;
  const decimals = decimalsOf(filters.currency ?? "");
  return withQuery(path, {
    direction,
    ...rest,
    q: q?.trim(),
    min: minorText(min, decimals),
    max: minorText(max, decimals),
    ...periodOf(from, to),
  });
}

/** From the beginning of one day to the end of another, in the reader's zone. */
export function periodOf(from: string | undefined, to: string | undefined) {
  return { from: dayBegin(from, 0), to: dayBegin(to, 1) };
}

function dayBegin(day: string | undefined, later: 0 | 1): string | undefined {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
}

const AMOUNT = /^(\d{1,13})(?:[.,](\d{1,3}))?$/;

/** `1500.5` in minor units; undefined where it is no amount. */
export function minorText(text: string | undefined, decimals: number): string | undefined {
  const match = AMOUNT.exec((text ?? "").replace(/\s/g, ""));
  if (match === null) return undefined;
  const [, whole = "0", fraction = ""] = match;
  return fraction.length > decimals ? undefined : String(BigInt(whole + fraction.padEnd(decimals, "0")));
}
