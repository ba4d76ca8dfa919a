import type { Transaction } from "../db.ts";

/**
 * Processes that write the results of callbacks hold the rows that they claimed, and never each other's. The few who change
 * many rows at once, claimed by any process, would meet them in any order and wait in a circle: so they wait until they
 * are alone. One lock for a transaction is cheaper than locking every row in the order of its key.
 */
export const CALLBACK_WRITERS = 7_226_017;

/** From then on the transaction waits no longer than `lockWaitMs` for a row. */
export async function joinCallbackWriters(tx: Transaction, lockWaitMs: number): Promise<void> {
  await tx.run({
    name: "join_callback_writers",
    text: "select pg_advisory_xact_lock_shared($1::bigint), set_config('lock_timeout', $2, true)",
    values: [CALLBACK_WRITERS, String(lockWaitMs)],
  });
}

/** Until the transaction ends no process writes the result of a callback. Callbacks in progress are still sent. */
export async function excludeCallbackWriters(tx: Transaction): Promise<void> {
  await tx.run({ text: "select pg_advisory_xact_lock($1::bigint)", values: [CALLBACK_WRITERS] });
}
