import type { Database } from "../../src/store/db.ts";

/** A place at which imports of this database stand still by themselves, in the middle of a transaction. */
export type ImportStop = {
  readonly hasStopped: () => Promise<boolean>;
  /** Lets go who stands there, and stops nobody any more. */
  readonly lift: () => Promise<void>;
};

/** Two numbers that the service has no lock under. */
const LOCK = "735, 1";

/**
 * Whoever inserts bank lines waits for a lock that we hold, once so many lines were committed. An import waits for it for half a
 * minute in all, as for any lock: it tries again and again, and stands in the same place each time.
 */
export async function stopImportsAt(db: Database, lines: number): Promise<ImportStop> {
  const holder = await db.connect();
  await holder.query(`
    select pg_advisory_lock(${LOCK});
    create function stand_still() returns trigger language plpgsql as $$
    begin
      if (select count(*) from bank_lines) >= ${lines} then perform pg_advisory_xact_lock_shared(${LOCK}); end if;
      return null;
    end $$;
    create trigger stand_still before insert on bank_lines for each statement execute function stand_still()`);
  return {
    hasStopped: async () => {
      const { rows } = await holder.query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      );
      return rows.length > 0;
    },
    lift: async () => {
      await holder.query(`select pg_advisory_unlock(${LOCK})`);
      await holder.query("drop function stand_still() cascade");
      await holder.end();
    },
  };
}
