import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/store/db.ts";

/** How long statements of the service waited for the lock of a table, as PostgreSQL counts it. */
export type LockProbe = { readonly longestMs: () => number; readonly stop: () => Promise<void> };

const LOOK_EVERY_MS = 25;

export function openLockProbe(db: Database): LockProbe {
  let longestMs = 0;
  let stopped = false;
  const looking = (async () => {
    while (!stopped) {
      const [row] = await db.run<{ ms: number | null }>({
        text: `select max(extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as ms
                 from pg_locks l join pg_stat_activity a on a.pid = l.pid
                where not l.granted and l.locktype = 'relation' and a.application_name = 'tillgate service'
                  and a.datname = current_database()`,
      });
      longestMs = Math.max(longestMs, row?.ms ?? 0);
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    longestMs: () => longestMs,
    stop: async () => {
      stopped = true;
      await looking;
    },
  };
}
