/**
 * Reads a timestamp as PostgreSQL writes it to a session in UTC, `2026-11-15 23:38:41.123456+00`; undefined where it is written
 * in any other way. A payment has a dozen of them, and the driver's own reader, a regular expression, takes four times as
 * long. What is finer than a millisecond is cut off, as the driver does.
 */
export function parseUtcTimestamp(text: string): Date | undefined {
  const end = text.length - UTC.length;
  if (end < DATE_AND_TIME || !text.endsWith(UTC) || text.charCodeAt(4) !== DASH) return undefined;
  const ms = Date.UTC(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
    millisecondsOf(text, end),
  );
  return new Date(ms);
}

const UTC = "+00";
/** How long it is without a fraction. */
const DATE_AND_TIME = 19;
const DASH = 45;
const ZERO = 48;

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** Zeros at the end are not written. */
function millisecondsOf(text: string, end: number): number {
  let ms = 0;
  for (let at = DATE_AND_TIME + 1, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) {
    ms += (text.charCodeAt(at) - ZERO) * unit;
  }
  return ms;
}
