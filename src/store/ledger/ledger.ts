import type { Transfer } from "../../core/ledger/transfers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../db.ts";
import { brokenConstraint } from "../faults.ts";

/** Why the database would not let money move. */
export type PostingFault = "insufficient_balance" | "balance_limit";

const FAULT_OF_CONSTRAINT: Readonly<Record<string, PostingFault>> = {
  balances_available_not_negative: "insufficient_balance",
  balances_locked_not_negative: "insufficient_balance",
  balances_within_limit: "balance_limit",
};

/** Writes transfers and the balances they touch. Balance rows are locked here, so call it last in a transaction. */
export async function postTransfers(tx: Transaction, transfers: readonly Transfer[]): Promise<void> {
  await tx.run({
    name: "post_transfers",
    text: `select post_transfers($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::uuid[])`,
    values: [
      transfers.map((transfer) => transfer.projectId),
      transfers.map((transfer) => transfer.id),
      transfers.map((transfer) => transfer.currency),
      transfers.map((transfer) => transfer.from),
      transfers.map((transfer) => transfer.to),
      transfers.map((transfer) => transfer.amount),
      transfers.map((transfer) => transfer.kind),
      transfers.map((transfer) => transfer.subjectId),
    ],
  });
}

/** A transaction that posts: a balance that would break its bounds rolls all of it back and is an answer, not a crash. */
export async function postingTransaction<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  lockWaitMs?: number,
): Promise<Result<T, PostingFault>> {
  try {
    return ok(await db.transaction(work, "read write", lockWaitMs));
  } catch (error) {
    const reason = FAULT_OF_CONSTRAINT[brokenConstraint(error) ?? ""];
    if (reason === undefined) throw error;
    return fail(reason);
  }
}
