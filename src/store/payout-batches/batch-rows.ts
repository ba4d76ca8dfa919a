import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { BatchRowState } from "../../core/payout-batches/batch-states.ts";
import type { Transaction } from "../db.ts";
import { plainArray } from "../plain-array.ts";

/** One payout of a batch. */
export type BatchRow = {
  readonly line: number;
  readonly paymentId: string;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly expectedFee: Minor;
  readonly description: string | null;
  readonly customerId: string;
  /** Sealed. */
  readonly receiver: Buffer;
  readonly mask: string;
  readonly bank: string | null;
};

type BatchKey = { readonly projectId: Id; readonly id: Id };

const ROWS_OF_STATEMENT = 1_000;

export async function insertBatchRows(
  tx: Transaction,
  { projectId, id }: BatchKey,
  rows: readonly BatchRow[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_OF_STATEMENT) {
    const some = rows.slice(from, from + ROWS_OF_STATEMENT);
    await tx.run({
      text: `insert into payout_batch_rows (project_id, batch_id, line, payment_id, method, currency, amount, expected_fee,
                                            description, customer_id, receiver, mask, bank)
             select $1, $2, r.* from unnest($3::int[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::text[],
                                            $10::text[], $11::bytea[], $12::text[], $13::text[]) as r`,
      values: [
        projectId,
        id,
        plainArray(some, ({ line }) => line),
        some.map(({ paymentId }) => paymentId),
        some.map(({ method }) => method),
        some.map(({ currency }) => currency),
        plainArray(some, ({ amount }) => amount),
        plainArray(some, ({ expectedFee }) => expectedFee),
        some.map(({ description }) => description),
        some.map(({ customerId }) => customerId),
        some.map(({ receiver }) => receiver),
        some.map(({ mask }) => mask),
        some.map(({ bank }) => bank),
      ],
    });
  }
}

const ROW_COLUMNS = `r.line, r.payment_id as "paymentId", r.method, r.currency, r.amount, r.expected_fee as "expectedFee",
  r.description, r.customer_id as "customerId", r.receiver, r.mask, r.bank`;

/** The next rows that are still to be paid, in the order of the file. */
export function listWaitingRows(tx: Transaction, { projectId, id }: BatchKey, limit: number): Promise<BatchRow[]> {
  return tx.run<BatchRow>({
    text: `select ${ROW_COLUMNS} from payout_batch_rows r
            where r.project_id = $1 and r.batch_id = $2 and r.state = 'waiting' order by r.line limit $3`,
    values: [projectId, id, limit],
  });
}

/** Rows that did not become payments. */
export function listUnmadeRows(tx: Transaction, { projectId, id }: BatchKey): Promise<BatchRow[]> {
  return tx.run<BatchRow>({
    text: `select ${ROW_COLUMNS} from payout_batch_rows r
            where r.project_id = $1 and r.batch_id = $2 and r.state in ('refused', 'failed') order by r.line`,
    values: [projectId, id],
  });
}

/** Ids that are taken: by a payout, or by a row that waits to become one. */
export async function listTakenPaymentIds(
  tx: Transaction,
  projectId: Id,
  paymentIds: readonly string[],
): Promise<{ readonly paymentId: string; readonly by: "payment" | "batch" }[]> {
  return tx.run({
    text: `select i.id as "paymentId", case when p.payment_id is not null then 'payment' else 'batch' end as by
             from unnest($2::text[]) as i (id)
             left join lateral (select p.payment_id from payments p
                                 where p.project_id = $1 and p.direction = 'payout' and p.payment_id = i.id limit 1) p on true
             left join lateral (select r.payment_id from payout_batch_rows r
                                  join payout_batches b on b.project_id = r.project_id and b.id = r.batch_id
                                 where r.project_id = $1 and r.payment_id = i.id and r.state = 'waiting'
                                   and b.state in ('awaiting_approval', 'making') limit 1) r on true
            where p.payment_id is not null or r.payment_id is not null`,
    values: [projectId, paymentIds],
  });
}

/** Sums and counts of a batch, by currency and by how its rows stand. */
export type BatchSum = {
  readonly batchId: Id;
  readonly currency: Currency;
  readonly state: BatchRowState;
  readonly count: number;
  /** The digits: a sum of many may be larger than any amount. */
  readonly amount: string;
  readonly fee: string;
};

export function sumBatchRows(tx: Transaction, batches: readonly BatchKey[]): Promise<BatchSum[]> {
  return tx.run<BatchSum>({
    text: `select r.batch_id as "batchId", r.currency, r.state, count(*)::int as count, sum(r.amount)::text as amount,
                  sum(r.expected_fee)::text as fee
             from unnest($1::uuid[], $2::uuid[]) as k (project_id, id)
             join payout_batch_rows r on r.project_id = k.project_id and r.batch_id = k.id
            group by r.batch_id, r.currency, r.state order by r.batch_id, r.currency, r.state`,
    values: [plainArray(batches, (each) => each.projectId), plainArray(batches, (each) => each.id)],
  });
}
