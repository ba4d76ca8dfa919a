import type { Database, Row } from "../db.ts";

/** What a migration waits for, to be said without any statement's text: a text may hold values. */
export type Blocked = {
  /** The table whose lock it waits for, quoted where it must be; null where it waits for something else. */
  readonly table: string | null;
  readonly blockers: readonly Blocker[];
};

type Blocker = {
  readonly pid: number;
  /** `client backend`, `autovacuum worker`. */
  readonly backend: string | null;
  readonly application: string | null;
  readonly state: string | null;
  /** For how long its transaction is open. */
  readonly seconds: number | null;
};

export type BlockerWatch = { readonly latest: () => Blocked | undefined; readonly stop: () => void };

/** Often enough to see what a lock that is waited for so briefly is waiting for. */
const WATCH_EVERY_MS = 150;

/** Looks, over other connections, at what the connection with this pid waits for. */
export function watchBlockers(db: Database, pid: number): BlockerWatch {
  let latest: Blocked | undefined;
  let asking = false;
  const timer = setInterval(async () => {
    if (asking) return;
    asking = true;
    try {
      const found = await findBlocked(db, pid);
      // The wait may have ended between the two halves of the question.
      if (found !== undefined) latest = { ...found, table: found.table ?? latest?.table ?? null };
    } catch {
      // A migration does not fail because it could not be watched.
    } finally {
      asking = false;
    }
  }, WATCH_EVERY_MS);
  return { latest: () => latest, stop: () => clearInterval(timer) };
}

async function findBlocked(db: Database, pid: number): Promise<Blocked | undefined> {
  const rows = await db.run<Blocker & { readonly table: string | null } & Row>({
    text: `select a.pid, a.backend_type as backend, a.application_name as application, a.state,
                  extract(epoch from now() - a.xact_start)::integer as seconds,
                  (select c.oid::regclass::text from pg_locks l join pg_class c on c.oid = l.relation
                    where l.pid = $1 and not l.granted and l.locktype = 'relation' and c.relkind in ('r', 'p')) as "table"
             from pg_stat_activity a where a.pid = any (pg_blocking_pids($1))
            order by a.xact_start limit 5`,
    values: [pid],
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  return { table: first.table, blockers: rows.map(({ table: _, ...blocker }) => blocker) };
}

/** One line for a person. */
export function nameBlockers(blocked: Blocked | undefined): string {
  const names = (blocked?.blockers ?? []).map(({ pid, backend, application, state, seconds }) => {
    const parts = [application || backend, state, seconds === null ? undefined : `for ${seconds} s`].filter(Boolean);
    return parts.length === 0 ? `process ${pid}` : `process ${pid} (${parts.join(", ")})`;
  });
  return names.length === 0 ? "another transaction" : names.join(", ");
}
