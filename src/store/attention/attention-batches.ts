import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { BatchState } from "../../core/payout-batches/batch-states.ts";
import type { Database } from "../db.ts";

/** A batch of payouts that was confirmed and has not ended. */
export type OpenBatch = {
  readonly id: Id;
  readonly projectId: Id;
  readonly book: Book;
  readonly state: Extract<BatchState, "awaiting_approval" | "making">;
  readonly rowCount: number;
  /** Rows that no payout was made of yet, and that were not refused. */
  readonly waitingCount: number;
  /** How long ago it was confirmed or, where it needs that, approved. */
  readonly sinceS: number;
};

/** The oldest first. Only the indexes of open batches and of waiting rows are read. */
export function listOpenBatches(db: Pick<Database, "run">): Promise<OpenBatch[]> {
  return db.run<OpenBatch>({ text: `${OPEN_BATCHES} order by "sinceS" desc, id` });
}

/** Those that should have been paid by now. */
export function listLateBatches(db: Pick<Database, "run">, olderThanS: number): Promise<OpenBatch[]> {
  return db.run<OpenBatch>({
    text: `select * from (${OPEN_BATCHES}) b where state = 'making' and "sinceS" > $1 order by book, "sinceS" desc, id`,
    values: [olderThanS],
  });
}

const OPEN_BATCHES = `select b.id, b.project_id as "projectId", b.book, b.state, b.row_count as "rowCount",
    (select count(*)::int from payout_batch_rows r
      where r.project_id = b.project_id and r.batch_id = b.id and r.state = 'waiting') as "waitingCount",
    extract(epoch from now() - coalesce(b.approved_at, b.confirmed_at))::float8 as "sinceS"
  from payout_batches b where b.state = 'making' or b.state = 'awaiting_approval'`;
