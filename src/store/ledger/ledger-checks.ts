import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";

/** A run of `ledger check` that came to its end. */
export type LedgerCheck = {
  readonly id: Id;
  readonly violationCount: number;
  readonly actor: string;
};

export async function saveLedgerCheck(db: Pick<Database, "run">, check: LedgerCheck): Promise<void> {
  const { id, violationCount, actor } = check;
  await db.run({
    text: "insert into ledger_checks (id, violation_count, actor) values ($1, $2, $3)",
    values: [id, violationCount, actor],
  });
}

export type LastLedgerCheck = {
  /** Since it ended; where there was none, since the database was made. */
  readonly ageS: number;
  readonly violationCount: number;
};

export async function readLastLedgerCheck(db: Pick<Database, "run">): Promise<LastLedgerCheck> {
  const rows = await db.run<LastLedgerCheck>({
    text: `select extract(epoch from now() - c.finished_at)::float8 as "ageS", c.violation_count as "violationCount"
             from (select finished_at, violation_count from ledger_checks
                   union all
                   select min(applied_at), 0 from schema_migrations) c
            order by c.finished_at desc limit 1`,
  });
  return rows[0] ?? { ageS: 0, violationCount: 0 };
}

export type FailedLedgerCheck = { readonly violationCount: number; readonly ageS: number };

/** The last check, if it found violations. */
export async function listFailedLedgerCheck(db: Pick<Database, "run">): Promise<FailedLedgerCheck[]> {
  const last = await readLastLedgerCheck(db);
  return last.violationCount === 0 ? [] : [last];
}
