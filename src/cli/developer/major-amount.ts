import { type Currency, decimalsOf } from "../../core/currency.ts";
import { AMOUNT_MAX, AMOUNT_MIN, type Minor, majorText } from "../../core/money.ts";
import { quote, wrongUsage } from "../kit/option-values.ts";

/**
 * An amount in major units with every decimal of its currency: `2500.00` in RUB, `2500` in JPY. The API takes minor units,
 * so that `2500` in RUB could be meant either way: it is refused rather than guessed.
 */
export function readMajorAmount(text: string, currency: Currency): Minor {
  const decimals = decimalsOf(currency);
  const form = decimals === 0 ? /^([0-9]{1,14})$/ : new RegExp(`^([0-9]{1,14})\\.([0-9]{${decimals}})$`);
  const [, whole, fraction = ""] = form.exec(text) ?? [];
  if (whole === undefined) throw wrongUsage(explainForm(text, currency));
  const minor = BigInt(whole + fraction) as Minor;
  if (minor < AMOUNT_MIN || minor > AMOUNT_MAX) {
    const range = `from ${majorText(AMOUNT_MIN, currency)} to ${majorText(AMOUNT_MAX, currency)}`;
    throw wrongUsage(`AMOUNT must be ${range} ${currency}. It is ${quote(text)}.`);
  }
  return minor;
}

const EXAMPLE = 2_500n;

function explainForm(text: string, currency: Currency): string {
  const decimals = decimalsOf(currency);
  const example = majorText((EXAMPLE * 10n ** BigInt(decimals)) as Minor, currency);
  const form = decimals === 0 ? "without decimals" : `with ${decimals} decimals`;
  const ambiguous = decimals > 0 && /^[1-9][0-9]{0,13}$/.test(text);
  const minorReading = ambiguous ? majorText(BigInt(text) as Minor, currency) : "";
  const readings = ambiguous
    ? ` It is ${quote(text)}, which could mean ${text}.${"0".repeat(decimals)} or, in minor units, ${minorReading}: write the one that you mean.`
    : ` It is ${quote(text)}.`;
  return `AMOUNT must be written ${form} in ${currency}, such as ${example}.${readings}`;
}
