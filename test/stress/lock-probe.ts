import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../src/store/db.ts";

/**
 * How long statements of the service waited for the lock of a table, as PostgreSQL counts it, without the time in which the probe
 * itself stood still: when the whole machine does, a wait grows that no lock is the reason of.
 */
export type LockProbe = { readonly longestMs: () => number; readonly stop: () => Promise<void> };

const LOOK_EVERY_MS = 25;
/** What a look takes at most while the machine works, with the pause before it. Beyond this the probe stood still. */
const LOOK_MAX_MS = 100;

const LONGEST_WAIT = `
  select max(extract(epoch from clock_timestamp() - l.waitstart) * 1000)::float8 as ms
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
   where not l.granted and l.locktype = 'relation' and a.application_name = 'tillgate service'
     and a.datname = current_database()`;

export async function openLockProbe(db: Database): Promise<LockProbe> {
  // A connection of its own: behind other statements a look would come late, and that is no standstill.
  const client = await db.connect();
  const standstills = openStandstills();
  let longestMs = 0;
  let stopped = false;
  const looking = (async () => {
    while (!stopped) {
      const { rows } = await client.query<{ ms: number | null }>(LONGEST_WAIT);
      longestMs = Math.max(longestMs, standstills.withoutThem(rows[0]?.ms ?? 0));
      await sleep(LOOK_EVERY_MS);
    }
    await client.end();
  })();
  return {
    longestMs: () => longestMs,
    stop: async () => {
      stopped = true;
      await looking;
    },
  };
}

/** Of a wait that was just seen, what is left without the times in which we stood still. Asked after every look. */
function openStandstills(): { readonly withoutThem: (waitMs: number) => number } {
  const standstills: { readonly endMs: number; readonly ms: number }[] = [];
  let lookedMs = performance.now();
  return {
    withoutThem: (waitMs) => {
      const nowMs = performance.now();
      const ms = nowMs - lookedMs - LOOK_MAX_MS;
      lookedMs = nowMs;
      if (ms > 0) standstills.push({ endMs: nowMs, ms });
      const sinceMs = nowMs - waitMs;
      return standstills.reduce((left, { endMs, ms }) => left - Math.max(0, Math.min(ms, endMs - sinceMs)), waitMs);
    },
  };
}
