import { type Currency, decimalsOf } from "../currency.ts";
import { AMOUNT_MAX, AMOUNT_MIN, type Minor, majorText } from "../money.ts";
import { fail, ok, type Result } from "../result.ts";

/**
 * A sum in major units as people and their programs write it: `1500`, `1500.5`, `1500,50`. After a comma there are at most two
 * digits: `1,500` is fifteen hundred to some and one and a half to others, so it is refused.
 */
const AMOUNT = /^(\d{1,13})(?:\.(\d{1,3})|,(\d{1,2}))?$/;

/** The error is a sentence about the value, without the value. */
export function readAmountText(text: string, currency: Currency): Result<Minor, string> {
  const decimals = decimalsOf(currency);
  const match = AMOUNT.exec(text);
  const [, whole = "", afterPoint, afterComma] = match ?? [];
  const fraction = afterPoint ?? afterComma ?? "";
  if (match === null || fraction.length > decimals) {
    const example = decimals === 0 ? "1500" : `1500 or 1500.${"5".padEnd(decimals, "0")}`;
    return fail(`must be a sum in ${currency} such as ${example}, without spaces`);
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, "0")) as Minor;
  if (amount < AMOUNT_MIN) return fail(`must be at least ${majorText(AMOUNT_MIN, currency)} ${currency}`);
  if (amount > AMOUNT_MAX) return fail(`must be at most ${majorText(AMOUNT_MAX, currency)} ${currency}`);
  return ok(amount);
}
