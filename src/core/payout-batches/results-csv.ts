import { writeCsvRecord } from "../csv-writer.ts";
import type { Currency } from "../currency.ts";
import { type Minor, majorText } from "../money.ts";
import { type PaymentState, wireStatus } from "../payments/states.ts";
import type { BatchRowState } from "./batch-states.ts";

/** A row of a batch as its line in the file of results shows it. */
export type ResultLine = {
  readonly line: number;
  readonly paymentId: string;
  readonly method: string;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly mask: string;
  readonly bank: string | null;
  readonly description: string | null;
  readonly state: BatchRowState;
  readonly requestId: string | null;
  readonly paymentState: PaymentState | null;
  readonly errorCode: string | null;
  readonly error: string | null;
};

const CELLS: Readonly<Record<string, (line: ResultLine) => string>> = {
  line: (row) => String(row.line),
  payment_id: (row) => row.paymentId,
  result: (row) => row.state,
  request_id: (row) => row.requestId ?? "",
  status: (row) => (row.paymentState === null ? "" : wireStatus(row.paymentState).status),
  sub_status: (row) => (row.paymentState === null ? "" : (wireStatus(row.paymentState).sub_status ?? "")),
  method: (row) => row.method,
  currency: (row) => row.currency,
  amount: (row) => majorText(row.amount, row.currency),
  receiver: (row) => row.mask,
  bank: (row) => row.bank ?? "",
  description: (row) => row.description ?? "",
  error_code: (row) => row.errorCode ?? "",
  error: (row) => row.error ?? "",
};

export const RESULTS_CSV_HEADER = writeCsvRecord(Object.keys(CELLS));

export function resultCsvRecord(row: ResultLine): string {
  return writeCsvRecord(Object.values(CELLS).map((cell) => cell(row)));
}
