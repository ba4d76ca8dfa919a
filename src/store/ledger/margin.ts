import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import { idBounds, type Period } from "../../core/reports/period.ts";
import type { Transaction } from "../db.ts";

/** What one day brought through one provider: what merchants paid us, and what the provider kept. */
export type MarginLine = {
  /** In UTC: `2026-01-31`. */
  readonly day: string;
  readonly book: Book;
  /** `manual`: no provider had the payment. */
  readonly provider: string;
  /** Null: charges of banks for receiving accounts, which belong to no payment. */
  readonly direction: Direction | null;
  readonly method: Method | null;
  readonly currency: Currency;
  /** That were settled, or paid, on this day. */
  readonly payments: number;
  readonly turnover: Minor;
  readonly ourFees: Minor;
  readonly theirFees: Minor;
};

/**
 * Read from the ledger, so that the differences of all lines are what the account `fees` gained: every transfer from or to it is in
 * one of them. A transfer belongs to the day on which it was posted. Each project is read along its primary key; the bounds of
 * ids only say where in it the period is.
 */
export function listMargin(tx: Transaction, period: Period): Promise<MarginLine[]> {
  const { lowest, highest } = idBounds(period);
  return tx.run<MarginLine>({
    timeoutMs: 0,
    text: `with moved as (
             select date_bin('1 day', t.created_at, '2000-01-01Z') as day, j.book, t.currency, t.subject_id, p.direction, p.method,
                    case when t.kind = 'cost' and t.to_account like 'clearing:%' then substr(t.to_account, 10)
                         when p.request_id is null then 'pool' else coalesce(p.provider, 'manual') end as provider,
                    t.kind, t.from_account, t.to_account, t.amount
               from projects j
              cross join lateral (
                select * from transfers t
                 where t.project_id = j.id
                   and ($1::timestamptz is null or t.created_at >= $1) and ($2::timestamptz is null or t.created_at < $2)
                   and ($3::uuid is null or t.id >= $3) and ($4::uuid is null or t.id <= $4)
                   and ('fees' in (t.from_account, t.to_account) or t.kind in ('settle', 'capture'))) t
               left join payments p on p.project_id = t.project_id and p.request_id = t.subject_id
              -- Reserves are captured too; they belong to no payment.
              where p.request_id is not null or 'fees' in (t.from_account, t.to_account))
           select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, book, provider, direction, method, currency,
                  count(distinct subject_id) filter (where kind in ('settle', 'fee', 'capture'))::int as payments,
                  coalesce(sum(amount) filter (where kind in ('settle', 'fee') or kind = 'capture' and to_account <> 'fees'), 0)::bigint
                    as turnover,
                  coalesce(sum(amount) filter (where to_account = 'fees' and kind in ('fee', 'capture')), 0)::bigint as "ourFees",
                  coalesce(sum(case when from_account = 'fees' then amount when kind not in ('fee', 'capture') then -amount end)
                             filter (where 'fees' in (from_account, to_account)), 0)::bigint as "theirFees"
             from moved
            group by moved.day, book, provider, direction, method, currency
            order by moved.day, book, provider, direction, method, currency`,
    values: [period.from ?? null, period.to ?? null, lowest, highest],
  });
}
