import { dateLocaleOf, timeLocaleOf } from "./locales.ts";

/** `14:05`, in the reader's own zone. */
export function formatTime(at: string, language: string): string {
  return new Intl.DateTimeFormat(timeLocaleOf(language), { timeStyle: "short" }).format(new Date(at));
}

/** `14:05:09`, of what is happening now. */
export function formatSecond(at: string, language: string): string {
  return new Intl.DateTimeFormat(dateLocaleOf(language), { timeStyle: "medium" }).format(new Date(at));
}

/** `14 Nov 2026, 14:05:09`: to the second, because support compares it with other systems. */
export function formatMoment(at: string, language: string): string {
  return new Intl.DateTimeFormat(dateLocaleOf(language), {
    dateStyle: "medium",
    timeStyle: "medium",
  }).format(new Date(at));
}

/** `14 Nov, 14:05`; the year where it is not this one. */
export function formatShortMoment(at: string, language: string): string {
  const date = new Date(at);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(dateLocaleOf(language), {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(date);
}

/** `14 Nov 2026` of a calendar day `2026-11-14`, which has no zone. */
export function formatDay(day: string, language: string): string {
  return new Intl.DateTimeFormat(dateLocaleOf(language), {
    dateStyle: "medium",
    timeZone: "UTC",
  }).format(new Date(`${day}T00:00:00Z`));
}
