import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { BatchState } from "../../core/payout-batches/batch-states.ts";
import type { Transaction } from "../db.ts";

/** Payouts that a person makes by hand, checked and confirmed as a whole. */
export type PayoutBatch = {
  readonly projectId: Id;
  readonly id: Id;
  readonly merchantId: Id;
  readonly book: Book;
  readonly source: BatchSource;
  readonly fileName: string | null;
  readonly contentHash: Buffer | null;
  readonly retryOf: Id | null;
  readonly state: BatchState;
  readonly rowCount: number;
  readonly repeatedCount: number;
  readonly author: Id;
  readonly authorAddress: string;
  readonly createdAt: Date;
  readonly confirmedAt: Date | null;
  readonly approvalNeeded: boolean;
  readonly approvedBy: Id | null;
  readonly approvedAt: Date | null;
  readonly refusedAt: Date | null;
  readonly refusal: string | null;
  readonly withdrawnAt: Date | null;
  readonly endedAt: Date | null;
};

type BatchSource = "form" | "file" | "retry";

/** From the table or alias `b`. */
export const BATCH_COLUMNS_SQL = `b.project_id as "projectId", b.id, b.merchant_id as "merchantId", b.book, b.source,
  b.file_name as "fileName", b.content_hash as "contentHash", b.retry_of as "retryOf", b.state, b.row_count as "rowCount",
  b.repeated_count as "repeatedCount", b.author, b.author_address as "authorAddress", b.created_at as "createdAt",
  b.confirmed_at as "confirmedAt", b.approval_needed as "approvalNeeded", b.approved_by as "approvedBy",
  b.approved_at as "approvedAt", b.refused_at as "refusedAt", b.refusal, b.withdrawn_at as "withdrawnAt", b.ended_at as "endedAt"`;

export type NewBatch = Pick<
  PayoutBatch,
  | ("projectId" | "id" | "merchantId" | "book" | "source" | "fileName" | "contentHash" | "retryOf")
  | ("rowCount" | "repeatedCount" | "author" | "authorAddress")
>;

export async function insertBatch(tx: Transaction, batch: NewBatch): Promise<void> {
  await tx.run({
    text: `insert into payout_batches (project_id, id, merchant_id, book, source, file_name, content_hash, retry_of, state,
                                       row_count, repeated_count, author, author_address)
           values ($1, $2, $3, $4, $5, $6, $7, $8, 'checked', $9, $10, $11, $12)`,
    values: [
      ...[batch.projectId, batch.id, batch.merchantId, batch.book, batch.source, batch.fileName, batch.contentHash],
      ...[batch.retryOf, batch.rowCount, batch.repeatedCount, batch.author, batch.authorAddress],
    ],
  });
}

/** Of a merchant: another merchant's is not found. */
export async function lockBatch(tx: Transaction, merchantId: Id, id: Id): Promise<PayoutBatch | undefined> {
  const rows = await tx.run<PayoutBatch>({
    text: `select ${BATCH_COLUMNS_SQL} from payout_batches b
            where b.project_id in (select p.id from projects p where p.merchant_id = $1) and b.id = $2 for no key update`,
    values: [merchantId, id],
  });
  return rows[0];
}

/** The batch that pays, or will pay, what a file says. */
export async function findBatchOfContent(
  tx: Transaction,
  projectId: Id,
  contentHash: Buffer,
): Promise<{ readonly id: Id } | undefined> {
  const rows = await tx.run<{ id: Id }>({
    text: `select b.id from payout_batches b
            where b.project_id = $1 and b.content_hash = $2 and b.state in ('awaiting_approval', 'making', 'done')`,
    values: [projectId, contentHash],
  });
  return rows[0];
}

type BatchKey = Pick<PayoutBatch, "projectId" | "id">;

export async function saveConfirmed(
  tx: Transaction,
  { projectId, id }: BatchKey,
  { state, approvalNeeded, now }: { readonly state: BatchState; readonly approvalNeeded: boolean; readonly now: Date },
): Promise<void> {
  await tx.run({
    text: `update payout_batches set state = $3, approval_needed = $4, confirmed_at = $5 where project_id = $1 and id = $2`,
    values: [projectId, id, state, approvalNeeded, now],
  });
}

type Decision = { readonly state: BatchState; readonly by: Id; readonly now: Date };

export async function saveApproved(
  tx: Transaction,
  { projectId, id }: BatchKey,
  { state, by, now }: Decision,
): Promise<void> {
  await tx.run({
    text: `update payout_batches set state = $3, approved_by = $4, approved_at = $5 where project_id = $1 and id = $2`,
    values: [projectId, id, state, by, now],
  });
}

export async function saveRefused(
  tx: Transaction,
  { projectId, id }: BatchKey,
  { state, by, now, reason }: Decision & { readonly reason: string },
): Promise<void> {
  await tx.run({
    text: `update payout_batches set state = $3, refused_by = $4, refused_at = $5, refusal = $6 where project_id = $1 and id = $2`,
    values: [projectId, id, state, by, now, reason],
  });
}

export async function saveWithdrawn(
  tx: Transaction,
  { projectId, id }: BatchKey,
  { state, now }: Omit<Decision, "by">,
): Promise<void> {
  await tx.run({
    text: `update payout_batches set state = $3, withdrawn_at = $4 where project_id = $1 and id = $2`,
    values: [projectId, id, state, now],
  });
}
