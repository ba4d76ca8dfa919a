import type { BatchView, ListedBatch } from "../../../app/payout-batches/read-batches.ts";
import { minorToJson } from "../../../core/money.ts";
import type { BatchFault } from "../../../core/payout-batches/batch-file.ts";
import { hasRight } from "../../../core/people/rights.ts";
import { statusJson, sumToJson } from "../report-json.ts";
import type { MemberCall } from "../route.ts";

export function batchJson(batch: ListedBatch): object {
  return {
    ...{ id: batch.id, project_id: batch.projectId, book: batch.book, source: batch.source, state: batch.state },
    ...{ file_name: batch.fileName, retry_of: batch.retryOf, row_count: batch.rowCount },
    author: { id: batch.author, name: batch.authorName, email: batch.authorEmail },
    created_at: batch.createdAt.toISOString(),
    confirmed_at: batch.confirmedAt?.toISOString() ?? null,
    approval_needed: batch.approvalNeeded,
    approved_by: batch.approvedByName,
    approved_at: batch.approvedAt?.toISOString() ?? null,
    refused_by: batch.refusedByName,
    refused_at: batch.refusedAt?.toISOString() ?? null,
    refusal: batch.refusal,
    withdrawn_at: batch.withdrawnAt?.toISOString() ?? null,
    ended_at: batch.endedAt?.toISOString() ?? null,
    totals: batch.totals.map(({ currency, count, amount, fee }) => ({
      ...{ currency, count, amount: sumToJson(amount), fee: sumToJson(fee) },
    })),
    progress: batch.progress,
  };
}

export function viewJson(view: BatchView, call: Pick<MemberCall, "session" | "role">): object {
  const { batch } = view;
  return {
    batch: batchJson(batch),
    repeated_count: batch.repeatedCount,
    available: view.available.map(({ currency, amount }) => ({ currency, amount: sumToJson(amount) })),
    exceeded: view.exceeded.map(({ currency, limit, sum }) => ({
      ...{ currency, limit: sumToJson(limit), sum: sumToJson(sum) },
    })),
    approver_count: view.approverCount,
    may: mayJson(view, call),
    rows: view.rows.map((row) => ({
      ...{ line: row.line, payment_id: row.paymentId, method: row.method, currency: row.currency },
      ...{ amount: minorToJson(row.amount), receiver: row.mask, bank: row.bank, description: row.description },
      ...{ state: row.state, request_id: row.requestId, payment: statusJson(row.paymentState) },
      ...{ error_code: row.errorCode, error: row.error },
    })),
    next: view.next === undefined ? null : String(view.next),
  };
}

/** What the reader can do with it now. The server decides again when they do it. */
function mayJson({ batch }: BatchView, { session, role }: Pick<MemberCall, "session" | "role">): object {
  const isAuthor = batch.author === session.personId;
  const isWaiting = batch.state === "awaiting_approval";
  return {
    confirm: isAuthor && batch.state === "checked",
    withdraw: isAuthor && (batch.state === "checked" || isWaiting),
    decide: !isAuthor && isWaiting && hasRight(role, "payouts.approve"),
    retry: batch.state === "done" && batch.progress.refused + batch.progress.failed > 0,
  };
}

/** More than a person corrects at once; how many there are in all is said beside them. */
const FAULTS_SHOWN_MAX = 200;

export function faultsJson(faults: readonly BatchFault[]): object {
  return { result: "faults", fault_count: faults.length, faults: faults.slice(0, FAULTS_SHOWN_MAX) };
}
