import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";
import { plainArray } from "../plain-array.ts";
import { BATCH_COLUMNS_SQL, type PayoutBatch } from "./batches.ts";

/**
 * Takes a batch that is being paid for so many seconds; those that no process looked at for the longest come first, so that a
 * small batch does not wait behind a large one.
 */
export async function claimBatch(db: Pick<Database, "run">, leaseS: number): Promise<PayoutBatch | undefined> {
  const rows = await db.run<PayoutBatch>({
    text: `update payout_batches b set lease_until = now() + make_interval(secs => $1)
             from (select project_id, id from payout_batches
                    where state = 'making' and (lease_until is null or lease_until <= now())
                    order by lease_until nulls first, id limit 1 for no key update skip locked) c
            where b.project_id = c.project_id and b.id = c.id
        returning ${BATCH_COLUMNS_SQL}`,
    values: [leaseS],
  });
  return rows[0];
}

type BatchKey = { readonly projectId: Id; readonly id: Id };

/** Gives the batch back after so many seconds. */
export async function releaseBatch(tx: Transaction, { projectId, id }: BatchKey, afterS: number): Promise<void> {
  await tx.run({
    text: `update payout_batches set lease_until = now() + make_interval(secs => $3)
            where project_id = $1 and id = $2 and state = 'making'`,
    values: [projectId, id, afterS],
  });
}

/** The result of a row that was tried. */
export type RowResult =
  | { readonly line: number; readonly state: "made"; readonly requestId: Id }
  | { readonly line: number; readonly state: "refused" | "failed"; readonly code: string; readonly error: string };

/**
 * A payment that was made is written in any case; that one was refused only where no other process has written a result. Two
 * processes can try the same row when one of them was silent for longer than its lease.
 */
export async function saveRowResults(
  tx: Transaction,
  { projectId, id }: BatchKey,
  results: readonly RowResult[],
): Promise<void> {
  if (results.length === 0) return;
  await tx.run({
    text: `update payout_batch_rows r
              set state = n.state, request_id = n.request_id, error_code = n.code, error = n.error
             from unnest($3::int[], $4::text[], $5::uuid[], $6::text[], $7::text[]) as n (line, state, request_id, code, error)
            where r.project_id = $1 and r.batch_id = $2 and r.line = n.line
              and (r.state = 'waiting' or (n.state = 'made' and r.state <> 'made'))`,
    values: [
      projectId,
      id,
      plainArray(results, ({ line }) => line),
      results.map(({ state }) => state),
      plainArray(results, (result) => (result.state === "made" ? result.requestId : null)),
      results.map((result) => (result.state === "made" ? null : result.code)),
      results.map((result) => (result.state === "made" ? null : result.error)),
    ],
  });
}

/** All rows that are left get the same result: the batch may not go on. */
export async function refuseWaitingRows(
  tx: Transaction,
  { projectId, id }: BatchKey,
  { code, error }: { readonly code: string; readonly error: string },
): Promise<void> {
  await tx.run({
    text: `update payout_batch_rows set state = 'refused', error_code = $3, error = $4
            where project_id = $1 and batch_id = $2 and state = 'waiting'`,
    values: [projectId, id, code, error],
  });
}

/** Ends a batch of which no row waits any more. */
export async function endBatch(tx: Transaction, { projectId, id }: BatchKey, now: Date): Promise<void> {
  await tx.run({
    text: `update payout_batches b set state = 'done', ended_at = $3, lease_until = null
            where b.project_id = $1 and b.id = $2 and b.state = 'making'
              and not exists (select from payout_batch_rows r
                               where r.project_id = b.project_id and r.batch_id = b.id and r.state = 'waiting')`,
    values: [projectId, id, now],
  });
}
