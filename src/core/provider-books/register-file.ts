import { type CsvItem, openCsv } from "../csv.ts";
import { type Currency, findCurrency } from "../currency.ts";
import type { Direction } from "../merchants/methods.ts";
import { AMOUNT_MAX, type Minor, ZERO } from "../money.ts";
import { readAmountText } from "../payout-batches/amount-text.ts";
import { quote } from "../quote.ts";
import { fail, ok, type Result } from "../result.ts";
import type { EntryStatus, TheirEntry } from "./compare-entry.ts";
import { REGISTER_COLUMNS, type RegisterColumn, type RegisterMapping } from "./register-mapping.ts";

/** A line of a provider's register. */
export type RegisterLine = TheirEntry & {
  readonly line: number;
  readonly reference: string;
  /** Undefined: the register does not say. */
  readonly direction: Direction | undefined;
};

export type RegisterItem =
  | { readonly kind: "line"; readonly value: RegisterLine }
  | { readonly kind: "refused"; readonly value: { readonly line: number; readonly reason: string } };

/** Takes a register piece by piece. The error refuses the whole file: its header cannot be understood. */
export type RegisterReader = {
  readonly push: (chunk: string) => Result<readonly RegisterItem[], string>;
  readonly end: () => Result<readonly RegisterItem[], string>;
};

export function openRegister(mapping: RegisterMapping): RegisterReader {
  const csv = openCsv();
  let header: Header | undefined;
  const take = (items: readonly CsvItem[]): Result<readonly RegisterItem[], string> => {
    const taken: RegisterItem[] = [];
    for (const item of items) {
      if (header !== undefined) taken.push(readItem(item, header, mapping));
      else if (item.kind === "fault") return fail(`line ${item.value.line} cannot be read: ${item.value.message}.`);
      else {
        const read = readHeader(item.value.fields, mapping);
        if (!read.ok) return read;
        header = read.value;
      }
    }
    return ok(taken);
  };
  return {
    push: (chunk) => take(csv.push(chunk)),
    end: () => {
      const rest = take(csv.end());
      return rest.ok && header === undefined ? fail("The file has no header.") : rest;
    },
  };
}

type Header = { readonly width: number; readonly positions: ReadonlyMap<RegisterColumn, number> };

function readHeader(fields: readonly string[], { columns, currency }: RegisterMapping): Result<Header, string> {
  const names = fields.map((field) => field.trim().toLowerCase());
  const positions = new Map<RegisterColumn, number>();
  for (const column of REGISTER_COLUMNS) {
    const name = columns.get(column) ?? column;
    const position = names.indexOf(name.toLowerCase());
    const isNeeded =
      columns.has(column) || ALWAYS_NEEDED.includes(column) || (column === "currency" && currency === undefined);
    if (position !== names.lastIndexOf(name.toLowerCase())) return fail(`The header has the column ${name} twice.`);
    if (position !== -1) positions.set(column, position);
    else if (isNeeded) return fail(explainMissing(column, name));
  }
  return ok({ width: names.length, positions });
}

const ALWAYS_NEEDED: readonly RegisterColumn[] = ["payment_id", "status", "amount"];

function explainMissing(column: RegisterColumn, name: string): string {
  const advice = `If the file calls it otherwise, name it: --columns ${column}=NAME`;
  const currency = column === "currency" ? "; if it has none, name the currency: --currency RUB" : "";
  return `The header has no column ${name}. ${advice}${currency}.`;
}

function readItem(item: CsvItem, header: Header, mapping: RegisterMapping): RegisterItem {
  const { line } = item.value;
  if (item.kind === "fault") return { kind: "refused", value: { line, reason: item.value.message } };
  const read = readLine(line, item.value.fields, header, mapping);
  return read.ok ? { kind: "line", value: read.value } : { kind: "refused", value: { line, reason: read.error } };
}

const REFERENCE = /^[^\p{Cc}]{1,255}$/u;

function readLine(
  line: number,
  fields: readonly string[],
  header: Header,
  mapping: RegisterMapping,
): Result<RegisterLine, string> {
  if (fields.length !== header.width) {
    return fail(`the line has ${fields.length} fields where the header has ${header.width}`);
  }
  const field = (column: RegisterColumn) => {
    const position = header.positions.get(column);
    return position === undefined ? undefined : (fields[position]?.trim() ?? "");
  };
  const reference = field("payment_id") ?? "";
  if (!REFERENCE.test(reference)) return fail("the payment_id is missing, or has control characters");
  const word = field("status") ?? "";
  const status = mapping.statuses.get(word.toLowerCase());
  if (status === undefined) return fail(`the status ${quote(word)} is not known`);
  const currency = mapping.currency ?? findCurrency((field("currency") ?? "").toUpperCase());
  if (currency === undefined) return fail("the currency is not an ISO 4217 code");
  const amount = readAmount(field("amount") ?? "", status, currency, mapping);
  if (!amount.ok) return amount;
  const fee = readFee(field("fee") ?? "", currency, mapping);
  if (!fee.ok) return fee;
  const direction = readDirection(field("type"));
  if (!direction.ok) return direction;
  const money = { amount: amount.value, currency, fee: fee.value };
  return ok({ line, reference, status, word, ...money, direction: direction.value });
}

/** Of what did not move, a register may leave the sum out. */
function readAmount(
  text: string,
  status: EntryStatus,
  currency: Currency,
  mapping: RegisterMapping,
): Result<Minor, string> {
  if (text === "" && status !== "success") return ok(ZERO);
  const amount = readSum(text, currency, mapping);
  if (!amount.ok) return fail(`the amount ${amount.error}`);
  return amount.value === 0n && status === "success" ? fail("the amount of a success is zero") : amount;
}

function readFee(text: string, currency: Currency, mapping: RegisterMapping): Result<Minor | undefined, string> {
  if (text === "") return ok(undefined);
  const fee = readSum(text, currency, mapping);
  return fee.ok ? fee : fail(`the fee ${fee.error}`);
}

const ZERO_TEXT = /^0+(?:[.,]0+)?$/;

function readSum(text: string, currency: Currency, { amounts }: RegisterMapping): Result<Minor, string> {
  if (amounts === "decimal") return ZERO_TEXT.test(text) ? ok(ZERO) : readAmountText(text, currency);
  const sum = /^[0-9]{1,15}$/.test(text) ? BigInt(text) : undefined;
  return sum === undefined || sum > AMOUNT_MAX
    ? fail(`must be a whole number of minor units up to ${AMOUNT_MAX}; --decimal reads 1500.50`)
    : ok(sum as Minor);
}

function readDirection(text: string | undefined): Result<Direction | undefined, string> {
  if (text === undefined) return ok(undefined);
  return text === "payin" || text === "payout" ? ok(text) : fail("the type is neither payin nor payout");
}
