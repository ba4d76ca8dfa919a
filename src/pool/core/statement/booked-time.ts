import { fail, ok, type Result } from "../../../core/result.ts";
import type { BookedTime } from "./statement-item.ts";

/** A date and a time as they were found, in digits; what is missing was not written. */
export type WrittenTime = {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour?: string | undefined;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly fraction?: string | undefined;
  /** `Z`, or hours and minutes from UTC such as `+03:00`. */
  readonly offset?: string | undefined;
};

const YEAR_MIN = 1970;
/** Behind it, years have five digits. */
const YEAR_MAX = 9998;
const OFFSET_MINUTES_MAX = 14 * 60;

const OFFSET = "Z|[+-][0-9]{2}:?[0-9]{2}";
const CLOCK = `(?<hour>[0-9]{2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]{1,9}))?)?`;
const ISO = new RegExp(
  `^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})(?:(?:T| +)${CLOCK})? ?(?<offset>${OFFSET})?$`,
);
const TIME_OF_DAY = new RegExp(`^${CLOCK.replace("{2}", "{1,2}")} ?(?<offset>${OFFSET})?$`);

export const NOT_A_TIME = "the booking time is not a date and time that exists";

/** ISO 8601: a date, or a date and a time with `T` or a space between them, with an offset or without. */
export function readIsoTime(text: string): Result<BookedTime, string> {
  const found = ISO.exec(text)?.groups;
  return found === undefined ? fail("the booking time is not written as ISO 8601") : toBookedTime(found as WrittenTime);
}

/** What a column of its own says about the time of day; undefined where it cannot be read. */
export function findTimeOfDay(text: string): Omit<WrittenTime, "year" | "month" | "day"> | undefined {
  const found = TIME_OF_DAY.exec(text)?.groups;
  return found === undefined ? undefined : { ...found, hour: found.hour?.padStart(2, "0") };
}

export function toBookedTime(written: WrittenTime): Result<BookedTime, string> {
  const day = `${written.year}-${written.month}-${written.day}`;
  const from = `${day} ${fillClock(written, "0")}`;
  const to = `${day} ${fillClock(written, "9")}`;
  if (!exists(from)) return fail(NOT_A_TIME);
  if (written.offset === undefined) return ok({ kind: "local", from, to });
  const offsetMinutes = readOffset(written.offset);
  if (offsetMinutes === undefined) return fail(NOT_A_TIME);
  return ok({ kind: "instant", from: toInstant(from, offsetMinutes), to: toInstant(to, offsetMinutes) });
}

/** The clock with what was not written filled up to its first or to its last moment. */
function fillClock({ hour, minute, second, fraction }: WrittenTime, filler: "0" | "9"): string {
  const last = filler === "9";
  const milliseconds = (fraction ?? "").slice(0, 3).padEnd(3, filler);
  return `${hour ?? (last ? "23" : "00")}:${minute ?? (last ? "59" : "00")}:${second ?? (last ? "59" : "00")}.${milliseconds}`;
}

/** Date accepts the 31st of February and makes March of it, so what it made is compared with what was written. */
function exists(local: string): boolean {
  const utc = `${local.replace(" ", "T")}Z`;
  const parsed = new Date(utc);
  return (
    !Number.isNaN(parsed.getTime()) &&
    parsed.getUTCFullYear() >= YEAR_MIN &&
    parsed.getUTCFullYear() <= YEAR_MAX &&
    parsed.toISOString() === utc
  );
}

function readOffset(text: string): number | undefined {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > OFFSET_MINUTES_MAX) return undefined;
  return text.startsWith("-") ? -total : total;
}

function toInstant(local: string, offsetMinutes: number): Date {
  return new Date(Date.parse(`${local.replace(" ", "T")}Z`) - offsetMinutes * 60_000);
}
