import { type Currency, decimalsOf } from "../../../core/currency.ts";
import { fail, ok, type Result } from "../../../core/result.ts";

export type DecimalSign = "." | ",";

/** More digits than any sum has; it bounds the work on a hostile file. */
const CHARS_MAX = 40;

const NOT_AN_AMOUNT = "the amount cannot be read";
const AMBIGUOUS =
  "the amount has one separator and three digits behind it, which can be thousands or decimals; set the decimal sign in the column mapping";
const TOO_FINE = "the amount has more decimals than its currency";

const MINUS = /^[-\u2212]/;
const IN_PARENTHESES = /^\((.*)\)$/;
/** Plain, no-break, thin and narrow no-break space, and both apostrophes. */
const UNAMBIGUOUS_GROUPING = " \u00A0\u2009\u202F'\u2019";

/** Reads an amount as people and banks write it into signed minor units. What can be read in two ways is refused. */
export function readAmount(text: string, currency: Currency, decimalSign?: DecimalSign): Result<bigint, string> {
  const trimmed = text.trim();
  if (trimmed.length > CHARS_MAX) return fail(NOT_AN_AMOUNT);
  const inside = IN_PARENTHESES.exec(trimmed)?.[1];
  const isNegative = inside !== undefined || MINUS.test(trimmed);
  const unsigned = (inside ?? trimmed.replace(inside === undefined ? /^[-+\u2212]/ : /^/, "")).trim();
  const sign = decimalSign === undefined ? findDecimalSign(unsigned) : ok(decimalSign);
  if (!sign.ok) return sign;
  const [whole = "", fraction = "", ...rest] = sign.value === undefined ? [unsigned] : unsigned.split(sign.value);
  const isComplete = sign.value === undefined || !unsigned.endsWith(sign.value);
  const digits = rest.length === 0 && isComplete ? ungroup(whole) : undefined;
  if (digits === undefined || !/^[0-9]*$/.test(fraction)) return fail(NOT_AN_AMOUNT);
  const minor = toMinor(digits, fraction, currency);
  return minor.ok && isNegative ? ok(-minor.value) : minor;
}

/** Reads a decimal number as XML writes it: digits, and a point before the decimals. */
export function readPlainAmount(text: string, currency: Currency): Result<bigint, string> {
  const found = text.length > CHARS_MAX ? null : /^\+?([0-9]+)(?:\.([0-9]*))?$/.exec(text);
  return found === null ? fail(NOT_AN_AMOUNT) : toMinor(found[1] ?? "", found[2] ?? "", currency);
}

function toMinor(whole: string, fraction: string, currency: Currency): Result<bigint, string> {
  const decimals = decimalsOf(currency);
  if (/[1-9]/.test(fraction.slice(decimals))) return fail(TOO_FINE);
  return ok(BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0")));
}

/** The sign before the decimals; undefined where there are none. */
function findDecimalSign(unsigned: string): Result<DecimalSign | undefined, string> {
  const points = unsigned.split(".").length - 1;
  const commas = unsigned.split(",").length - 1;
  if (points === 0 && commas === 0) return ok(undefined);
  if (points > 0 && commas > 0) return ok(unsigned.lastIndexOf(".") > unsigned.lastIndexOf(",") ? "." : ",");
  // A decimal sign stands once, so one that stands twice separates thousands.
  if (points > 1 || commas > 1) return ok(undefined);
  // Thousands begin with one to three digits and not with a nought: "0,500" and "1234,567" can only be decimals.
  if (/^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(unsigned)) return fail(AMBIGUOUS);
  return ok(points === 1 ? "." : ",");
}

/** The digits of a whole number, if it is in one piece or in groups of three with one and the same separator. */
function ungroup(whole: string): string | undefined {
  if (/^[0-9]+$/.test(whole)) return whole;
  const separator = /[^0-9]/.exec(whole)?.[0];
  if (separator === undefined || !`${UNAMBIGUOUS_GROUPING}.,`.includes(separator)) return undefined;
  const [first = "", ...groups] = whole.split(separator);
  const isWellFormed = /^[0-9]{1,3}$/.test(first) && groups.every((group) => /^[0-9]{3}$/.test(group));
  return isWellFormed ? first + groups.join("") : undefined;
}
