import { writeCsvRecord } from "../csv-writer.ts";
import type { Currency } from "../currency.ts";
import { type Minor, majorText } from "../money.ts";
import type { Standing } from "./statement.ts";

/** A line of a statement as its file shows it. */
export type StatementRecord = {
  readonly id: string;
  readonly createdAt: Date;
  readonly kind: string;
  readonly subjectId: string;
  readonly paymentId: string | null;
  readonly reference: string | null;
  readonly change: Standing;
  readonly after: Standing;
};

const HEADER = [
  ...["time", "line_id", "kind", "subject_id", "payment_id", "reference", "currency"],
  ...["available_in", "available_out", "locked_in", "locked_out", "available_after", "locked_after"],
];

export const STATEMENT_CSV_HEADER = writeCsvRecord(HEADER);

/** What came in and what went out have columns of their own: a cell that begins with a minus would be taken for a formula. */
export function statementCsvRecord(currency: Currency, line: StatementRecord): string {
  const { change, after } = line;
  const text = (amount: Minor) => majorText(amount, currency);
  const inAndOut = (amount: Minor) =>
    amount < 0n ? ["", text(-amount as Minor)] : [amount === 0n ? "" : text(amount), ""];
  return writeCsvRecord([
    ...[line.createdAt.toISOString(), line.id, line.kind, line.subjectId, line.paymentId ?? "", line.reference ?? ""],
    currency,
    ...inAndOut(change.available),
    ...inAndOut(change.locked),
    text(after.available),
    text(after.locked),
  ]);
}
