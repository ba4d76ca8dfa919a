import { type Currency, findCurrency } from "../currency.ts";
import type { FieldFault } from "../errors.ts";
import { listMethodOffers } from "../merchants/methods.ts";
import type { Minor } from "../money.ts";
import { RECEIVER_MEMBERS, type ReceiverBlock } from "../payments/receiver.ts";
import { readAmountText } from "./amount-text.ts";
import { BATCH_COLUMNS, type BatchColumn, type BatchFault, type BatchRecord } from "./batch-file.ts";

/** What one row asks for, as the API's request would say it. */
export type RowBody = {
  readonly general: { readonly project_id: string; readonly payment_id: string };
  readonly payment: {
    readonly method?: string;
    readonly currency?: string;
    readonly amount: number;
    readonly description?: string;
  };
  readonly receiver: ReceiverBlock;
  readonly customer: { readonly id: string; readonly ip_address: string };
};

/** The sum of a row, or what is wrong with it; undefined where the currency is not known, which is a fault of its own. */
export function readRowAmount({ line, cells }: BatchRecord): Minor | BatchFault | undefined {
  const { amount, currency = "" } = cells;
  if (amount === undefined) return { line, column: "amount", code: "required", message: "is required" };
  const known: Currency | undefined = findCurrency(currency);
  if (known === undefined) return undefined;
  const read = readAmountText(amount, known);
  return read.ok ? read.value : { line, column: "amount", code: "bad_amount", message: read.error };
}

export function receiverOf(cells: BatchRecord["cells"]): ReceiverBlock {
  return Object.fromEntries(
    RECEIVER_MEMBERS.flatMap((name) => (cells[name] === undefined ? [] : [[name, cells[name]]])),
  );
}

const COLUMN_OF_FIELD: Readonly<Record<string, BatchColumn>> = {
  "general.payment_id": "payment_id",
  "customer.id": "customer_id",
  ...Object.fromEntries(["method", "currency", "amount", "description"].map((name) => [`payment.${name}`, name])),
  ...Object.fromEntries(RECEIVER_MEMBERS.map((name) => [`receiver.${name}`, name])),
};

/** What the API's rules say of a member, said of the column that it comes from. */
export function faultOfField(line: number, { field, code, message }: FieldFault): BatchFault {
  const column = COLUMN_OF_FIELD[field] ?? null;
  // A path of the API takes the methods of one product; a file takes all of them.
  const said = column === "method" && code === "not_allowed" ? `must be one of ${PAYOUT_METHODS.join(", ")}` : message;
  return { line, column, code, message: said };
}

const PAYOUT_METHODS = [
  ...new Set(listMethodOffers().flatMap(({ direction, method }) => (direction === "payout" ? [method] : []))),
];

/** Rules of the API name members of its request; the people of a file know columns. */
export function inColumns(description: string): string {
  return description.replaceAll(/\b(?:general|payment|receiver)\.([a-z_]+)/g, (whole, name: string) =>
    BATCH_COLUMNS.some((column) => column === name) ? name : whole,
  );
}
