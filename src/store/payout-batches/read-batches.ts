import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { BatchRowState } from "../../core/payout-batches/batch-states.ts";
import type { Statement, Transaction } from "../db.ts";
import { BATCH_COLUMNS_SQL, type PayoutBatch } from "./batches.ts";

/** A batch with the names of its people. */
export type ShownBatch = PayoutBatch & {
  readonly authorName: string;
  readonly authorEmail: string;
  readonly approvedByName: string | null;
  readonly refusedByName: string | null;
};

const SHOWN = `${BATCH_COLUMNS_SQL}, a.name as "authorName", a.email as "authorEmail", v.name as "approvedByName",
                  f.name as "refusedByName"
             from payout_batches b
             join people a on a.id = b.author
             left join people v on v.id = b.approved_by
             left join people f on f.id = b.refused_by`;

/** A page, the latest first, below an id. Drafts that were never confirmed are their author's alone. */
export function listBatches(
  tx: Transaction,
  page: {
    readonly projectIds: readonly Id[];
    readonly reader: Id;
    readonly below: Id | undefined;
    readonly limit: number;
  },
): Promise<ShownBatch[]> {
  return tx.run<ShownBatch>({
    text: `select ${SHOWN}
            where b.project_id = any($1::uuid[]) and ($2::uuid is null or b.id < $2)
              and (b.confirmed_at is not null or (b.author = $3 and b.state = 'checked'))
            order by b.id desc limit $4`,
    values: [page.projectIds, page.below ?? null, page.reader, page.limit],
  });
}

export async function findShownBatch(
  tx: Transaction,
  projectIds: readonly Id[],
  id: Id,
): Promise<ShownBatch | undefined> {
  const rows = await tx.run<ShownBatch>({
    text: `select ${SHOWN} where b.project_id = any($1::uuid[]) and b.id = $2`,
    values: [projectIds, id],
  });
  return rows[0];
}

/** A row with the payment that it became. */
export type ShownRow = {
  readonly line: number;
  readonly paymentId: string;
  readonly method: string;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly description: string | null;
  readonly mask: string;
  readonly bank: string | null;
  readonly state: BatchRowState;
  readonly requestId: Id | null;
  readonly paymentState: PaymentState | null;
  readonly errorCode: string | null;
  readonly error: string | null;
};

const ROWS = `select r.line, r.payment_id as "paymentId", r.method, r.currency, r.amount, r.description, r.mask, r.bank, r.state,
                  r.request_id as "requestId", p.state as "paymentState", r.error_code as "errorCode", r.error
             from payout_batch_rows r
             left join payments p on p.project_id = r.project_id and p.request_id = r.request_id
            where r.project_id = $1 and r.batch_id = $2`;

type BatchKey = { readonly projectId: Id; readonly id: Id };

/** A page of rows above a line; of one state, or of all. */
export function listShownRows(
  tx: Transaction,
  { projectId, id }: BatchKey,
  page: { readonly state: BatchRowState | undefined; readonly above: number; readonly limit: number },
): Promise<ShownRow[]> {
  return tx.run<ShownRow>({
    text: `${ROWS} and r.line > $3 and ($4::text is null or r.state = $4) order by r.line limit $5`,
    values: [projectId, id, page.above, page.state ?? null, page.limit],
  });
}

/** All rows of a batch, for a file. */
export function selectRows({ projectId, id }: BatchKey): Pick<Statement, "text" | "values"> {
  return { text: `${ROWS} order by r.line`, values: [projectId, id] };
}

/** Who made a payment by hand; undefined for one that came through the API. */
export async function findBatchOfPayment(
  tx: Transaction,
  { projectId, requestId }: { readonly projectId: Id; readonly requestId: Id },
): Promise<{ readonly batchId: Id; readonly author: string; readonly approvedBy: string | null } | undefined> {
  const rows = await tx.run<{ batchId: Id; author: string; approvedBy: string | null }>({
    text: `select b.id as "batchId", a.name as author, v.name as "approvedBy"
             from payout_batch_rows r
             join payout_batches b on b.project_id = r.project_id and b.id = r.batch_id
             join people a on a.id = b.author
             left join people v on v.id = b.approved_by
            where r.project_id = $1 and r.request_id = $2`,
    values: [projectId, requestId],
  });
  return rows[0];
}
