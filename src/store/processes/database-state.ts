import type { Database } from "../db.ts";

/** What the server says of itself; one round trip to it. */
export type DatabaseState = { readonly nowMs: number; readonly takesWrites: boolean };

export async function readDatabaseState(db: Pick<Database, "run">): Promise<DatabaseState> {
  const rows = await db.run<{ nowMs: number; takesWrites: boolean }>({
    text: `select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs",
                  not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as "takesWrites"`,
  });
  return rows[0] ?? { nowMs: 0, takesWrites: false };
}

/** A standby that streams from the primary. `sync`: a commit waits for it, alone or as one of a quorum. */
export type Standby = {
  readonly name: string;
  readonly mode: "sync" | "async";
  /** What it has not replayed yet. */
  readonly lagBytes: number;
  readonly lagS: number;
};

/**
 * Undefined where this user may not see it: PostgreSQL shows the rows of other users only to members of pg_read_all_stats
 * (pg_monitor), and to superusers. A server that is not the primary has no answer either.
 */
export async function listStandbys(db: Pick<Database, "run">): Promise<readonly Standby[] | undefined> {
  const [allowed] = await db.run<{ may: boolean }>({
    text: `select pg_has_role(current_user, 'pg_read_all_stats', 'usage') and not pg_is_in_recovery() as may`,
  });
  if (allowed?.may !== true) return undefined;
  return db.run<Standby>({
    text: `select application_name as name,
                  case when sync_state in ('sync', 'quorum') then 'sync' else 'async' end as mode,
                  coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn), 0)::float8 as "lagBytes",
                  coalesce(extract(epoch from replay_lag), 0)::float8 as "lagS"
             from pg_stat_replication where state = 'streaming' order by application_name`,
  });
}
