/**
 * Reads a `timestamptz` as PostgreSQL writes it while its time zone is UTC, such as `2026-11-15 23:01:02.345678+00`; undefined
 * for every other form. The library's own reader takes 1 µs, this one 0.2, and most rows have several of them.
 */
export function readUtcTimestamp(text: string): Date | undefined {
  if (text.charCodeAt(YEAR_ENDS) !== DASH || !text.endsWith("+00")) return undefined;
  const year = digits(text, 0, YEAR_ENDS);
  // Date.UTC takes two digits for a year of the 20th century.
  if (year < 100) return undefined;
  const ms = digits(text, 20, 3, text.length - "+00".length);
  return new Date(
    Date.UTC(
      year,
      digits(text, 5, 2) - 1,
      digits(text, 8, 2),
      digits(text, 11, 2),
      digits(text, 14, 2),
      digits(text, 17, 2),
      ms,
    ),
  );
}

const YEAR_ENDS = 4;
const DASH = 0x2d;
const ZERO = 0x30;

/** A number of so many digits; those behind the end are zeros. */
function digits(text: string, at: number, count: number, end = text.length): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1)
    value = value * 10 + (index < end ? text.charCodeAt(index) - ZERO : 0);
  return value;
}
