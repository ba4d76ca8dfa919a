import { expect, vi } from "vitest";
import type { Database } from "../../store/db.ts";

/** Until so many statements on this database wait for a lock. */
export async function waitUntilBlocked(db: Database, count: number): Promise<void> {
  const blocked = async () => {
    const [row] = await db.run<{ count: number }>({
      text: `select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return row?.count;
  };
  await vi.waitFor(async () => expect(await blocked()).toBe(count), { timeout: 60_000, interval: 5 });
}
