import { type Currency, findCurrency } from "../../../core/currency.ts";
import { type Minor, toAmount } from "../../../core/money.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import type { CsvHeader } from "./csv-header.ts";
import { type DateFormat, readBookedTime } from "./date-format.ts";
import { cleanPayer, readAccount, readReference } from "./line-texts.ts";
import { type DecimalSign, readAmount } from "./statement-amount.ts";
import type { StatementLine } from "./statement-item.ts";
import type { StatementColumn } from "./statement-mapping.ts";

/** What a mapping says about lines, made ready for reading many. */
export type CsvLineRules = {
  readonly header: CsvHeader;
  readonly currency: Currency | undefined;
  readonly dateFormat: DateFormat | undefined;
  readonly decimal: DecimalSign | undefined;
  readonly creditWords: ReadonlySet<string>;
  readonly debitWords: ReadonlySet<string>;
};

export function readCsvLine(
  line: number,
  fields: readonly string[],
  rules: CsvLineRules,
): Result<StatementLine, string> {
  const { header } = rules;
  if (fields.length !== header.width) {
    return fail(`the line has ${fields.length} fields where the header has ${header.width}`);
  }
  const field = fieldReader(fields, header);
  const currency = rules.currency ?? findCurrency((field("currency") ?? "").toUpperCase());
  if (currency === undefined) return fail("the currency is not an ISO 4217 code");
  const booked = readBookedTime(field("booked_at") ?? "", field("time"), rules.dateFormat);
  if (!booked.ok) return booked;
  const sum = readSum(field, currency, rules);
  if (!sum.ok) return sum;
  const reference = readReference(field("reference") ?? "");
  if (!reference.ok) return reference;
  const accountText = field("account");
  const account = accountText === undefined ? ok(undefined) : readAccount(accountText);
  if (!account.ok) return account;
  return ok({
    line,
    account: account.value,
    ...sum.value,
    isReversal: false,
    currency,
    reference: reference.value,
    payer: cleanPayer(field("payer") ?? ""),
    booked: booked.value,
  });
}

/** What stands in one of our columns; undefined where the file does not have it. */
export type FieldOf = (column: StatementColumn) => string | undefined;

export function fieldReader(fields: readonly string[], header: CsvHeader): FieldOf {
  return (column) => {
    const position = header.positions[column];
    return position === undefined ? undefined : fields[position]?.trim();
  };
}

type Sum = { readonly direction: "credit" | "debit"; readonly amount: Minor };

function readSum(field: FieldOf, currency: Currency, rules: CsvLineRules): Result<Sum, string> {
  const amountText = field("amount");
  if (amountText === undefined) return readSplitSum(field, currency, rules);
  const amount = readAmount(amountText, currency, rules.decimal);
  if (!amount.ok) return amount;
  const directionText = field("direction");
  if (directionText === undefined) return toSum(amount.value, amount.value < 0n ? "debit" : "credit");
  const word = directionText.toLowerCase();
  if (rules.debitWords.has(word)) return toSum(amount.value, "debit");
  if (!rules.creditWords.has(word)) return fail("the direction is none of the words for credit and debit");
  return amount.value < 0n
    ? fail("the amount is negative and the direction says credit")
    : toSum(amount.value, "credit");
}

/** Credit and debit have a column each; banks leave the other one empty, or write a nought. */
function readSplitSum(field: FieldOf, currency: Currency, rules: CsvLineRules): Result<Sum, string> {
  const sums: Sum[] = [];
  for (const direction of ["credit", "debit"] as const) {
    const text = field(direction) ?? "";
    const amount = text === "" ? ok(0n) : readAmount(text, currency, rules.decimal);
    if (!amount.ok) return amount;
    // A debit with a minus is the same debit; a credit with a minus could be anything.
    if (amount.value < 0n && direction === "credit") return fail("the credit is negative");
    if (amount.value === 0n) continue;
    const sum = toSum(amount.value, direction);
    if (!sum.ok) return sum;
    sums.push(sum.value);
  }
  const [only, second] = sums;
  if (second !== undefined) return fail("the line has both a credit and a debit");
  return only === undefined ? fail("the amount is zero") : ok(only);
}

function toSum(signed: bigint, direction: Sum["direction"]): Result<Sum, string> {
  if (signed === 0n) return fail("the amount is zero");
  const amount = toAmount(signed < 0n ? -signed : signed);
  return amount.ok ? ok({ direction, amount: amount.value }) : fail("the amount is too large");
}
