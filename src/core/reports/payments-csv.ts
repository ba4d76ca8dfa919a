import { writeCsvRecord } from "../csv-writer.ts";
import type { Currency } from "../currency.ts";
import type { Book } from "../merchants/book.ts";
import type { Direction } from "../merchants/methods.ts";
import { type Minor, majorText } from "../money.ts";
import { type PaymentState, wireStatus } from "../payments/states.ts";

/** A payment as its line in a file shows it. */
export type PaymentLine = {
  readonly project: { readonly id: string; readonly name: string; readonly book: Book };
  readonly requestId: string;
  readonly paymentId: string;
  readonly direction: Direction;
  readonly state: PaymentState;
  readonly declineCode: string | null;
  readonly method: string | null;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly requestedAmount: Minor;
  readonly receivedAmount: Minor;
  readonly fee: Minor | null;
  readonly customerId: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

/** Sums are in major units, as accountants' programs read them. */
const CELLS: Readonly<Record<string, (line: PaymentLine) => string>> = {
  request_id: (line) => line.requestId,
  payment_id: (line) => line.paymentId,
  project_id: (line) => line.project.id,
  project: (line) => line.project.name,
  book: (line) => line.project.book,
  type: (line) => line.direction,
  status: (line) => wireStatus(line.state).status,
  sub_status: (line) => wireStatus(line.state).sub_status ?? "",
  decline_code: (line) => line.declineCode ?? "",
  method: (line) => line.method ?? "",
  currency: (line) => line.currency,
  amount: (line) => majorText(line.amount, line.currency),
  requested_amount: (line) => majorText(line.requestedAmount, line.currency),
  received_amount: (line) => majorText(line.receivedAmount, line.currency),
  fee: (line) => (line.fee === null ? "" : majorText(line.fee, line.currency)),
  customer_id: (line) => line.customerId,
  created_at: (line) => line.createdAt.toISOString(),
  finished_at: (line) => line.finishedAt?.toISOString() ?? "",
};

export const PAYMENTS_CSV_HEADER = writeCsvRecord(Object.keys(CELLS));

export function paymentCsvRecord(line: PaymentLine): string {
  return writeCsvRecord(Object.values(CELLS).map((cell) => cell(line)));
}
