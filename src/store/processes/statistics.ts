import type { Database } from "../db.ts";

/** Above this, what PostgreSQL gathers by itself once a minute is soon enough: plans for it are right for more, too. */
const YOUNG_ROWS_MAX = 50_000;
/** So many changes do not yet turn a good plan into a bad one. */
const CHANGES_MIN = 500;

/**
 * Young tables that more than doubled since their statistics were gathered, by their quoted names: those that this user
 * may gather from. Updates alone do not count: a pay-in updates its row several times, and every connection plans again. Up to PostgreSQL 16 only their owner may, and from 17 on also who was granted `maintain`.
 */
export async function listOutgrownTables(db: Pick<Database, "run">): Promise<string[]> {
  const rows = await db.run<{ name: string }>({
    name: "list_outgrown_tables",
    text: `select s.relid::regclass::text as name
             from pg_stat_user_tables s join pg_class c on c.oid = s.relid
            where s.schemaname = current_schema() and c.reltuples < $1
              and s.n_mod_since_analyze > greatest(c.reltuples, $2) and s.n_live_tup > 2 * c.reltuples
              and case when pg_has_role(c.relowner, 'usage') then true
                       when current_setting('server_version_num')::int >= 170000
                         then has_table_privilege(c.oid, 'maintain')
                       else false end`,
    values: [YOUNG_ROWS_MAX, CHANGES_MIN],
  });
  return rows.map((row) => row.name);
}

/** Every connection then plans again. A table that another process is analysing is skipped. */
export async function gatherStatistics(db: Pick<Database, "run">, tables: readonly string[]): Promise<void> {
  await db.run({ text: `analyze (skip_locked) ${tables.join(", ")}` });
}
