// What the databases were asked to do: rows by table, commits, log written, and statements where they are counted.
import { sleep } from "./http.mjs";

/** A session that goes idle keeps its counts to itself for up to ten seconds. */
const COUNTS_ARRIVE_MS = 11_000;

const TABLES = `
  select relname as name, n_tup_ins::int as inserted, n_tup_upd::int as updated, n_tup_hot_upd::int as hot,
         n_tup_del::int as deleted, coalesce(idx_scan, 0)::int as "indexScans", seq_scan::int as "seqScans",
         seq_tup_read::float8 as "seqRows"
    from pg_stat_user_tables`;

const TOTALS = `
  select xact_commit::int as commits, xact_rollback::int as rollbacks,
         pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes"
    from pg_stat_database where datname = current_database()`;

export async function readDatabaseWork(client) {
  const { rows: tables } = await client.query(TABLES);
  const { rows: totals } = await client.query(TOTALS);
  return { ...totals[0], tables: new Map(tables.map(({ name, ...counts }) => [name, counts])) };
}

export async function letCountsArrive() {
  await sleep(COUNTS_ARRIVE_MS);
}

/** For one of `count`; tables that nothing happened to are left out. */
export function workOfEach(before, after, count) {
  const tables = [...after.tables].map(([name, counts]) => {
    const earlier = before.tables.get(name) ?? {};
    const each = Object.entries(counts).map(([what, number]) => [what, (number - (earlier[what] ?? 0)) / count]);
    return { name, ...Object.fromEntries(each) };
  });
  return {
    commits: (after.commits - before.commits) / count,
    rollbacks: (after.rollbacks - before.rollbacks) / count,
    walBytes: (after.walBytes - before.walBytes) / count,
    tables: tables.filter(({ name, ...counts }) => Object.values(counts).some((number) => number > 0.001)),
  };
}

const STATEMENTS = `
  select d.datname as database, s.calls::int as calls, s.rows::int as rows, s.total_exec_time as "ms",
         s.wal_bytes::float8 as "walBytes", regexp_replace(s.query, '\\s+', ' ', 'g') as query
    from pg_stat_statements s join pg_database d on d.oid = s.dbid
   order by s.calls desc`;

export async function forgetStatements(client) {
  await client.query("create extension if not exists pg_stat_statements");
  await client.query("select pg_stat_statements_reset()");
}

export async function readStatements(client) {
  const { rows } = await client.query(STATEMENTS);
  return rows;
}
