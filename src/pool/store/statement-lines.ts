import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../../store/db.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";
import type { BankLineDirection } from "./bank-lines.ts";

/** The lines of one statement, beside our own record of the account, for as long as a transaction lasts. */
export async function createStatementLines(tx: Transaction): Promise<void> {
  // The file may come slowly, through a pipe, and the transaction has nothing to do meanwhile.
  await tx.run({ text: "set local idle_in_transaction_session_timeout = 0" });
  await tx.run({ text: "set local statement_timeout = 0" });
  await tx.run({
    text: `create temporary table statement_lines (
             line integer not null, reference text not null, direction text not null, amount bigint not null, day date not null
           ) on commit drop`,
  });
}

export type ComparedLine = {
  readonly line: number;
  readonly reference: string;
  readonly direction: BankLineDirection;
  readonly amount: Minor;
  readonly booked: BookedTime;
};

/** The day is that of the account's own calendar, as with what we record. */
export async function insertStatementLines(
  tx: Transaction,
  accountId: Id,
  lines: readonly ComparedLine[],
): Promise<void> {
  await tx.run({
    text: `insert into statement_lines (line, reference, direction, amount, day)
           select t.line, t.reference, t.direction, t.amount,
                  case when t.is_local then t.booked_to::timestamp::date
                       else (t.booked_to::timestamptz at time zone a.time_zone)::date end
             from unnest($2::integer[], $3::text[], $4::text[], $5::bigint[], $6::boolean[], $7::text[])
                    as t (line, reference, direction, amount, is_local, booked_to)
             join receiving_accounts a on a.id = $1`,
    values: [
      accountId,
      lines.map(({ line }) => line),
      lines.map(({ reference }) => reference),
      lines.map(({ direction }) => direction),
      lines.map(({ amount }) => amount),
      lines.map(({ booked }) => booked.kind === "local"),
      lines.map(({ booked }) => (booked.kind === "local" ? booked.to : booked.to.toISOString())),
    ],
    timeoutMs: 0,
  });
}

/** The days that it is about; undefined where it has no line. */
export async function findStatementPeriod(
  tx: Transaction,
): Promise<{ readonly from: string; readonly to: string } | undefined> {
  const [row] = await tx.run<{ from: string | null; to: string | null }>({
    text: `select to_char(min(day), 'YYYY-MM-DD') as "from", to_char(max(day), 'YYYY-MM-DD') as "to" from statement_lines`,
    timeoutMs: 0,
  });
  return row === undefined || row.from === null || row.to === null ? undefined : { from: row.from, to: row.to };
}

/**
 * `missing_here`: the bank has it, and we do not; `missing_there`: the reverse; `amount_differs`, the direction included;
 * `doubled`: the statement has the reference twice; `other_day`: the same line on another day.
 */
export type DifferenceKind = "missing_here" | "missing_there" | "amount_differs" | "doubled" | "other_day";

export type Difference = {
  readonly kind: DifferenceKind;
  /** Of the file; null where it is missing there. */
  readonly line: number | null;
  readonly reference: string;
  /** Signed: what left is below zero. */
  readonly theirs: bigint | null;
  readonly ours: bigint | null;
  readonly theirDay: string | null;
  readonly ourDay: string | null;
};

export function listDifferences(
  tx: Transaction,
  accountId: Id,
  period: { readonly from: string; readonly to: string },
): Promise<Difference[]> {
  return tx.run<Difference>({
    text: `with theirs as (
             select line, reference, day, case direction when 'debit' then -amount else amount end as amount,
                    row_number() over (partition by reference order by line) as occurrence
               from statement_lines),
           ours as (
             select reference, booked_day as day, case direction when 'debit' then -amount else amount end as amount
               from bank_lines where account_id = $1 and reversed_at is null),
           compared as (
             select case when t.occurrence > 1 then 'doubled'
                         when o.reference is null then 'missing_here'
                         when o.amount <> t.amount then 'amount_differs'
                         when o.day <> t.day then 'other_day' end as kind,
                    t.line, t.reference, t.amount as theirs, o.amount as ours, t.day as their_day, o.day as our_day
               from theirs t left join ours o on o.reference = t.reference
             union all
             select 'missing_there', null, o.reference, null, o.amount, null, o.day
               from ours o
              where o.day between $2::date and $3::date
                and not exists (select from statement_lines t where t.reference = o.reference))
           select kind, line, reference, theirs, ours, to_char(their_day, 'YYYY-MM-DD') as "theirDay",
                  to_char(our_day, 'YYYY-MM-DD') as "ourDay"
             from compared where kind is not null
            order by line nulls last, our_day, reference`,
    values: [accountId, period.from, period.to],
    timeoutMs: 0,
  });
}

/** What the account should hold at the end of a day, by its clearing account in the ledger. */
export async function sumAccountAt(tx: Transaction, code: string, day: string): Promise<bigint> {
  const [row] = await tx.run<{ amount: bigint }>({
    text: `select (a.opening_balance
                   - coalesce((select sum(e.amount) from entries e where e.account like 'clearing:pool-%' and e.account = 'clearing:pool-' || a.code), 0)
                   - coalesce((select sum(case t.direction when 'debit' then -t.amount else t.amount end)
                                 from bank_lines t where t.account_id = a.id and t.reversed_at is null
                                  and t.booked_day > $2::date), 0))::bigint as amount
             from receiving_accounts a where a.code = $1`,
    values: [code, day],
    timeoutMs: 0,
  });
  return row?.amount ?? 0n;
}
