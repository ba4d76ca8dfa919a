import type { Transaction } from "../db.ts";

/**
 * For the rest of the transaction PostgreSQL groups in a table in memory, and sorts only what it must. It cannot know how few days
 * and hours there are among the times of many rows, takes each for a group of its own, and sorts all of them by texts: with
 * 33,000 payments that takes twice as long.
 */
export async function groupByHash(tx: Transaction): Promise<void> {
  await tx.run({
    name: "group_by_hash",
    text: "select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)",
  });
}
