import { fail, type Result } from "../../../core/result.ts";
import { findTimeOfDay, NOT_A_TIME, readIsoTime, toBookedTime, type WrittenTime } from "./booked-time.ts";
import type { BookedTime } from "./statement-item.ts";

/** How a bank writes dates, such as `dd.mm.yyyy hh:mm`, made ready for reading many. */
export type DateFormat = { readonly text: string; readonly hasTime: boolean; readonly pattern: RegExp };

const FORMAT =
  /^(?<first>dd|mm|yyyy|yy)(?<separator>[./-]?)(?<second>dd|mm)\k<separator>(?<third>dd|mm|yyyy|yy)(?:(?<gap>t| )(?<clock>hh:mm(?::ss)?))?$/;

const CENTURY = "20";

export function findDateFormat(text: string): DateFormat | undefined {
  const found = FORMAT.exec(text.toLowerCase())?.groups;
  if (found === undefined) return undefined;
  const parts = [found.first, found.second, found.third].map((part) => part?.replace("yyyy", "yy"));
  const hasEach = ["dd", "mm", "yy"].every((part) => parts.includes(part));
  const isAmbiguous = found.separator === "" && !text.toLowerCase().includes("yyyy");
  if (!hasEach || isAmbiguous) return undefined;
  const separator = found.separator === "" ? "" : `\\${found.separator}`;
  const day = [found.first, found.second, found.third].map((part) => patternOf(part ?? "", separator)).join(separator);
  const hasTime = found.clock !== undefined;
  return { text, hasTime, pattern: new RegExp(`^${day}${hasTime ? clockPattern(found.gap, found.clock) : ""}$`) };
}

function patternOf(part: string, separator: string): string {
  if (part === "yyyy") return "(?<year>[0-9]{4})";
  if (part === "yy") return "(?<year>[0-9]{2})";
  // Where something separates the parts, "1.2.2026" is as clear as "01.02.2026".
  return `(?<${part === "dd" ? "day" : "month"}>[0-9]${separator === "" ? "{2}" : "{1,2}"})`;
}

function clockPattern(gap: string | undefined, clock: string | undefined): string {
  const seconds = clock === "hh:mm:ss" ? ":(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]{1,9}))?" : "";
  const between = gap === "t" ? "T" : " +";
  return `${between}(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})${seconds} ?(?<offset>Z|[+-][0-9]{2}:?[0-9]{2})?`;
}

/** Reads a date by the format, or as ISO 8601 where there is none; the time of day may stand in a column of its own. */
export function readBookedTime(
  dateText: string,
  timeText: string | undefined,
  format: DateFormat | undefined,
): Result<BookedTime, string> {
  const time = timeText === undefined || timeText === "" ? undefined : findTimeOfDay(timeText);
  if (timeText !== undefined && timeText !== "" && time === undefined) return fail(NOT_A_TIME);
  if (format === undefined && time === undefined) return readIsoTime(dateText);
  const written = format === undefined ? findIsoDay(dateText) : findByFormat(dateText, format);
  if (written === undefined) return fail(`the booking time is not written as ${format?.text ?? "yyyy-mm-dd"}`);
  return toBookedTime({ ...written, ...time });
}

function findIsoDay(text: string): WrittenTime | undefined {
  return /^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})$/.exec(text)?.groups as WrittenTime | undefined;
}

function findByFormat(text: string, format: DateFormat): WrittenTime | undefined {
  const found = format.pattern.exec(text)?.groups as WrittenTime | undefined;
  if (found === undefined) return undefined;
  return {
    ...found,
    year: found.year.length === 2 ? CENTURY + found.year : found.year,
    month: found.month.padStart(2, "0"),
    day: found.day.padStart(2, "0"),
    hour: found.hour?.padStart(2, "0"),
  };
}
