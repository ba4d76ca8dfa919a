import type { Currency } from "../currency.ts";
import { type Fault, validationFault } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import type { Id } from "../ids.ts";
import type { Book } from "../merchants/book.ts";
import type { Direction } from "../merchants/methods.ts";
import { fail, ok, type Result } from "../result.ts";
import { DAY_MS, startOfDay } from "./period.ts";
import { openQuery, type ReportQuery } from "./query-values.ts";

export type OverviewQuestion = { readonly projectId: Id | undefined; readonly days: OverviewDays };
const DAYS = ["1", "7", "30"] as const;
export type OverviewDays = 1 | 7 | 30;

export function readOverviewQuestion(parameters: ReportQuery): Result<OverviewQuestion, Fault> {
  const query = openQuery(parameters, ["project", "days"]);
  const projectId = query.id("project");
  const days = Number(query.oneOf("days", DAYS) ?? "1") as OverviewDays;
  return query.faults.length > 0 ? fail(validationFault(query.faults)) : ok({ projectId, days });
}

const HOUR_MS = 3_600_000;

/** Today by hours, and longer times by days, all in UTC; the present one is the last. */
export type Buckets = { readonly from: Date; readonly stepMs: number; readonly count: number };

export function bucketsOf(days: OverviewDays, now: Date): Buckets {
  const today = startOfDay(now).getTime();
  if (days === 1) {
    return { from: new Date(today), stepMs: HOUR_MS, count: Math.floor((now.getTime() - today) / HOUR_MS) + 1 };
  }
  return { from: new Date(today - (days - 1) * DAY_MS), stepMs: DAY_MS, count: days };
}

/** Payments that were created in the same stretch of time. */
export type Figures = {
  readonly count: number;
  readonly successCount: number;
  readonly declineCount: number;
  /** The sum of those that succeeded. */
  readonly volume: bigint;
  /** From creation to success, of all of them together. */
  readonly successSeconds: number;
};

export type FiguresOf = Figures & {
  readonly book: Book;
  readonly direction: Direction;
  readonly currency: Currency;
  /** The place of the stretch among the buckets. */
  readonly bucket: number;
};

/** With what follows from the figures; null where there is nothing to divide by. */
export type ShownFigures = Figures & {
  /** Of those that have ended, the share that succeeded. */
  readonly successRate: number | null;
  readonly averageSuccessS: number | null;
};

export type Series = {
  readonly book: Book;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly total: ShownFigures;
  readonly points: readonly (ShownFigures & { readonly at: Date })[];
};

const NONE: Figures = { count: 0, successCount: 0, declineCount: 0, volume: 0n, successSeconds: 0 };

/** A series for each book, direction and currency, with a point for every bucket, empty ones too. */
export function seriesOf({ from, stepMs, count }: Buckets, rows: readonly FiguresOf[]): Series[] {
  const groups = groupBy(rows, ({ book, direction, currency }) => `${book} ${direction} ${currency}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { book, direction, currency } = first;
    const points = Array.from({ length: count }, (_, place) => ({
      at: new Date(from.getTime() + place * stepMs),
      // The database's clock may be ahead of ours: what it dates later than now is of the last bucket.
      ...shown(group.filter(({ bucket }) => Math.min(bucket, count - 1) === place).reduce(add, NONE)),
    }));
    return [{ book, direction, currency, total: shown(group.reduce(add, NONE)), points }];
  });
}

function add(one: Figures, other: Figures): Figures {
  return {
    count: one.count + other.count,
    successCount: one.successCount + other.successCount,
    declineCount: one.declineCount + other.declineCount,
    volume: one.volume + other.volume,
    successSeconds: one.successSeconds + other.successSeconds,
  };
}

function shown(figures: Figures): ShownFigures {
  const { successCount, declineCount, successSeconds } = figures;
  const ended = successCount + declineCount;
  return {
    ...figures,
    successRate: ended === 0 ? null : successCount / ended,
    averageSuccessS: successCount === 0 ? null : successSeconds / successCount,
  };
}
