import { type Id, lowestIdAt } from "../ids.ts";
import type { OpenQuery } from "./query-values.ts";

/** From `from` on, and before `to`. Undefined: without that bound. */
export type Period = { readonly from: Date | undefined; readonly to: Date | undefined };

export const DAY_MS = 86_400_000;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?Z$/;
const WORDS = "must be a day, such as 2026-01-31, or a time in UTC, such as 2026-01-31T10:00:00Z";

/** A day as `to` is included: people say "from the 1st to the 31st". */
export function readPeriod(query: OpenQuery): Period {
  const from = query.read("from", (text) => instantOf(text, 0), WORDS);
  const to = query.read("to", (text) => instantOf(text, DAY_MS), WORDS);
  if (from !== undefined && to !== undefined && from >= to) query.refuse("to", "must be later than from");
  return { from, to };
}

function instantOf(text: string, dayEndsAfterMs: number): Date | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !INSTANT.test(text)) return undefined;
  const ms = Date.parse(isDate ? `${text}T00:00:00Z` : text);
  // Date.parse moves a day that does not exist, such as 2026-02-30, into the next month.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined;
  return new Date(isDate ? ms + dayEndsAfterMs : ms);
}

/** The first moment of the day, in UTC. */
export function startOfDay(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / DAY_MS) * DAY_MS);
}

/**
 * Ids bear the time of the process that made them, and rows the database's. So much may the two differ: the ids only say
 * where in the primary key to look, and the row's own time decides.
 */
const CLOCKS_APART_MAX_MS = DAY_MS;

export type IdBounds = { readonly lowest: Id | null; readonly highest: Id | null };

export function idBounds({ from, to }: Period): IdBounds {
  return {
    lowest: from === undefined ? null : lowestIdAt(from.getTime() - CLOCKS_APART_MAX_MS),
    highest: to === undefined ? null : lowestIdAt(to.getTime() + CLOCKS_APART_MAX_MS),
  };
}
