import type { Id } from "../../core/ids.ts";
import type { TransferKind } from "../../core/ledger/transfers.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import { idBounds } from "../../core/reports/period.ts";
import type { StatementFilter } from "../../core/reports/statement.ts";
import type { Database, Statement } from "../db.ts";

type Reader = Pick<Database, "run">;

/** One transfer that touches the project's balance. */
export type StatementLine = {
  readonly id: Id;
  readonly createdAt: Date;
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly amount: Minor;
  readonly subjectId: Id;
  /** Of the payment that it belongs to; null where it belongs to none. */
  readonly paymentId: string | null;
  readonly direction: Direction | null;
  /** Of the adjustment that it is. */
  readonly reference: string | null;
};

/**
 * Of `transfers t`. A line belongs to a period by its own time; the bounds of ids only say where in the index it is. All of
 * these columns are in the primary key's index.
 */
const TOUCHES = `t.project_id = $1 and t.currency = $2
  and (t.from_account in ('available', 'locked') or t.to_account in ('available', 'locked'))`;
const OF_PERIOD = `${TOUCHES}
  and ($3::timestamptz is null or t.created_at >= $3) and ($4::timestamptz is null or t.created_at < $4)
  and ($5::uuid is null or t.id >= $5) and ($6::uuid is null or t.id <= $6)`;

function periodValues(filter: StatementFilter): unknown[] {
  const { lowest, highest } = idBounds(filter);
  return [filter.projectId, filter.currency, filter.from ?? null, filter.to ?? null, lowest, highest];
}

const COLUMNS = `t.id, t.created_at as "createdAt", t.kind, t.from_account as "from", t.to_account as "to", t.amount,
  t.subject_id as "subjectId", p.payment_id as "paymentId", p.direction, a.reference`;

const BELONGINGS = `
  left join lateral (
    select p.payment_id, p.direction from payments p
     where p.project_id = t.project_id and p.request_id = t.subject_id limit 1) p on true
  left join lateral (
    select a.reference from adjustments a where a.project_id = t.project_id and a.id = t.subject_id limit 1) a on true`;

/** A page, in the order of the ids, which grow with time. */
export function listStatementLines(
  db: Reader,
  filter: StatementFilter,
  page: { readonly after: Id | undefined; readonly limit: number },
): Promise<StatementLine[]> {
  return db.run<StatementLine>({
    text: `select ${COLUMNS}
             from (select * from transfers t where ${OF_PERIOD} and ($7::uuid is null or t.id > $7)
                    order by t.id limit $8) t ${BELONGINGS}
            order by t.id`,
    values: [...periodValues(filter), page.after ?? null, page.limit],
  });
}

/** All of them, for a cursor. */
export function selectStatementLines(filter: StatementFilter): Pick<Statement, "text" | "values"> {
  return {
    text: `select ${COLUMNS} from (select * from transfers t where ${OF_PERIOD} order by t.id) t ${BELONGINGS} order by t.id`,
    values: periodValues(filter),
  };
}

/** Sums are within what 64 bits hold: each is a difference of two balances. */
const CHANGES = `
  (sum(case when t.to_account = 'available' then t.amount when t.from_account = 'available' then -t.amount else 0 end))`;
const LOCKED_CHANGES = `
  (sum(case when t.to_account = 'locked' then t.amount when t.from_account = 'locked' then -t.amount else 0 end))`;

/** What changed a balance since the period began, by parts: the period up to a line, the rest of it, and what came later. */
export type ChangesSince = {
  readonly part: "before" | "rest" | "later";
  readonly count: number;
  readonly available: Minor;
  readonly locked: Minor;
};

/** `after` is the last line of the page before; undefined: there was none. */
export function sumChangesSince(db: Reader, filter: StatementFilter, after: Id | undefined): Promise<ChangesSince[]> {
  const { lowest } = idBounds(filter);
  return db.run<ChangesSince>({
    text: `select case when t.created_at >= $4 then 'later' when t.id <= $6 then 'before' else 'rest' end as part,
                  count(*)::int as count, ${CHANGES}::bigint as available, ${LOCKED_CHANGES}::bigint as locked
             from transfers t
            where ${TOUCHES} and ($3::timestamptz is null or t.created_at >= $3) and ($5::uuid is null or t.id >= $5)
            group by 1`,
    values: [filter.projectId, filter.currency, filter.from ?? null, filter.to ?? null, lowest, after ?? null],
  });
}

/** The lines of one day, kind and pair of accounts, together. */
export type RegisterPart = {
  /** In UTC: `2026-01-31`. */
  readonly day: string;
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** As text: what moved in a day can exceed what 64 bits hold. */
  readonly amount: string;
};

export function listRegisterParts(db: Reader, filter: StatementFilter): Promise<RegisterPart[]> {
  return db.run<RegisterPart>({
    text: `select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, t.kind, t.from_account as "from",
                  t.to_account as "to", count(*)::int as count, sum(t.amount)::text as amount
             from transfers t where ${OF_PERIOD}
            group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    values: periodValues(filter),
  });
}
