import { setImmediate as breathe } from "node:timers/promises";
import type { PayoutReceiver } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Fault } from "../../core/errors.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { type Minor, majorText, minorToJson } from "../../core/money.ts";
import { ratesOf } from "../../core/payments/create-rules.ts";
import { feeOf } from "../../core/payments/fees.ts";
import { toPayoutReceiver } from "../../core/payments/receiver.ts";
import type { BatchColumn, BatchFault, BatchRecord } from "../../core/payout-batches/batch-file.ts";
import {
  faultOfField,
  inColumns,
  type RowBody,
  readRowAmount,
  receiverOf,
} from "../../core/payout-batches/batch-row.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { checkRules } from "../payments/create-payment.ts";
import type { BatchDeps, BatchPlace, FindBodyFaults } from "./batch-deps.ts";

/** A row that the API would create as a payout at this moment, but for the balance and the limits of the day. */
export type CheckedRow = {
  readonly line: number;
  /** Undefined: one is made from the batch and the line. */
  readonly paymentId: string | undefined;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly fee: Minor;
  readonly description: string | undefined;
  readonly customerId: string | undefined;
  readonly receiver: PayoutReceiver;
};

export type RowSituation = BatchPlace & {
  readonly authorAddress: string;
  readonly findBodyFaults: FindBodyFaults;
};

/** So many rows, and then other requests are answered: to check a row takes 45 µs, and to seal it 30. */
export const ROWS_AT_ONCE = 100;
/** Stands in the body for an id that is made later. */
const NOT_GIVEN = "-";

/** Every row is judged, and every fault listed. */
export async function checkRows(
  deps: BatchDeps,
  situation: RowSituation,
  records: readonly BatchRecord[],
): Promise<Result<readonly CheckedRow[], readonly BatchFault[]>> {
  const rows: CheckedRow[] = [];
  const faults: BatchFault[] = [];
  for (const [index, record] of records.entries()) {
    if (index % ROWS_AT_ONCE === 0) await breathe();
    const checked = checkRow(deps, situation, record);
    if (checked.ok) rows.push(checked.value);
    else faults.push(...checked.error);
  }
  faults.push(...findTwins(records));
  return faults.length > 0 ? fail(faults.sort((a, b) => a.line - b.line)) : ok(rows);
}

function checkRow(
  deps: BatchDeps,
  situation: RowSituation,
  record: BatchRecord,
): Result<CheckedRow, readonly BatchFault[]> {
  const { line } = record;
  const amount = readRowAmount(record);
  const body = bodyOf(situation, record, typeof amount === "bigint" ? amount : undefined);
  const faults = [
    ...(typeof amount === "object" ? [amount] : []),
    ...situation.findBodyFaults(body).map((found) => faultOfField(line, found)),
  ];
  if (faults.length > 0) return fail(faults);
  if (typeof amount !== "bigint") throw new Error("a row without an amount passed the rules");
  return applyRules(deps, situation, record, body, amount);
}

function bodyOf({ project, authorAddress }: RowSituation, { cells }: BatchRecord, amount: Minor | undefined): RowBody {
  const { payment_id = NOT_GIVEN, customer_id = NOT_GIVEN, method, currency, description } = cells;
  return {
    general: { project_id: project.id, payment_id },
    payment: {
      ...(method === undefined ? {} : { method }),
      ...(currency === undefined ? {} : { currency }),
      ...(description === undefined ? {} : { description }),
      // What is wrong with the sum is said in the words of the file, so the schema sees one that is right.
      amount: amount === undefined ? 1 : minorToJson(amount),
    },
    receiver: receiverOf(cells),
    customer: { id: customer_id, ip_address: authorAddress },
  };
}

/** The rules that time can change: the method, its limits, the bank, the card, the provider. */
function applyRules(
  deps: BatchDeps,
  { directory, project }: RowSituation,
  { line, cells }: BatchRecord,
  { payment, receiver: block }: RowBody,
  amount: Minor,
): Result<CheckedRow, readonly BatchFault[]> {
  const { method = "", currency = "" } = payment;
  const receiver = toPayoutReceiver(method as Method, block);
  const wish = { direction: "payout", method, currency, amount, bank: block.bank, receiver } as const;
  const terms = checkRules(deps, directory, project, { ...wish, card: undefined, request: {} });
  if (!terms.ok) return fail([faultOfRule(line, terms.error, { ...wish, methods: project.methods })]);
  return ok({
    line,
    paymentId: cells.payment_id,
    method: terms.value.method,
    currency: terms.value.currency,
    amount,
    fee: feeOf(amount, ratesOf(terms.value)),
    description: cells.description,
    customerId: cells.customer_id,
    receiver,
  });
}

const COLUMN_OF_CODE: Readonly<Record<string, BatchColumn>> = {
  method_not_enabled: "method",
  no_provider: "method",
  amount_out_of_limits: "amount",
  bank_unknown: "bank",
  bank_not_sbp: "bank",
  card_invalid: "pan",
  test_card_on_live_project: "pan",
};

type RuledRow = {
  readonly method: string;
  readonly currency: string;
  readonly amount: Minor;
  readonly methods: BatchPlace["project"]["methods"];
};

function faultOfRule(line: number, { code, description }: Fault, row: RuledRow): BatchFault {
  const message = code === "amount_out_of_limits" ? limitText(row) : undefined;
  return { line, column: COLUMN_OF_CODE[code] ?? null, code, message: message ?? inColumns(description) };
}

/** The API speaks of minor units, which the people of a file do not. */
function limitText({ method, currency, amount, methods }: RuledRow): string | undefined {
  const terms = methods.find(
    (each) => each.direction === "payout" && each.method === method && each.currency === currency,
  );
  if (terms === undefined || (amount >= terms.minAmount && amount <= terms.maxAmount)) return undefined;
  const [least, most] = [majorText(terms.minAmount, terms.currency), majorText(terms.maxAmount, terms.currency)];
  return `must be from ${least} to ${most} ${currency}, the limits of this project for ${method}`;
}

/** A payment_id that an earlier row has. */
function findTwins(records: readonly BatchRecord[]): BatchFault[] {
  const lines = new Map<string, number>();
  return records.flatMap(({ line, cells: { payment_id: paymentId } }): BatchFault[] => {
    if (paymentId === undefined) return [];
    const earlier = lines.get(paymentId);
    if (earlier === undefined) lines.set(paymentId, line);
    const message = `is the payment_id of line ${earlier} already`;
    return earlier === undefined ? [] : [{ line, column: "payment_id", code: "repeated_payment_id", message }];
  });
}
