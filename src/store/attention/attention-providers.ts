import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { Database } from "../db.ts";
import type { Reading } from "../providers/provider-readings.ts";

/** A balance at a provider that the payouts which wait for it exceed. */
export type LowBalance = {
  readonly provider: string;
  readonly book: Book;
  readonly currency: Currency;
  /** All of it, what is locked there for payouts too. */
  readonly balance: Minor;
  readonly waiting: Minor;
  readonly count: number;
};

/** Where a provider has not told its balances, or its banks, for a while. */
export type UnreadProvider = {
  readonly provider: string;
  readonly what: Reading;
  readonly book: Book;
  readonly ageS: number;
  /** It never did. */
  readonly never: boolean;
};

/**
 * What waits: payouts that were given to the provider and are not over, and those that would be given to it first. The provider may have
 * locked the money of the former, so that they are compared with all that we have there. Of payouts that are not over the worker
 * looks at each within five minutes, so that the index of due times is read up to there; disputes have their own.
 */
export function listLowBalances(db: Pick<Database, "run">): Promise<LowBalance[]> {
  return db.run<LowBalance>({
    text: `with open_payouts as materialized (
             select p.project_id, p.method, p.currency, p.amount, p.state, p.provider from payments p
              where p.due_at < now() + interval '5 minutes' and p.direction = 'payout'
                and p.state in ('processing:new', 'processing:payout_process')
             union all
             select p.project_id, p.method, p.currency, p.amount, p.state, p.provider from payments p
              where p.state like 'dispute:%' and p.direction = 'payout'),
           waiting as (
             select coalesce(p.provider, r.providers[1]) as provider, p.currency, sum(p.amount)::bigint as sum, count(*)::int as count
               from open_payouts p
               left join project_routes r on r.project_id = p.project_id and r.direction = 'payout' and r.method = p.method
              group by 1, 2)
           select b.provider, v.book, b.currency, b.amount + b.locked_amount as balance, w.sum as waiting, w.count
             from waiting w
             join provider_balances b on b.provider = w.provider and b.currency = w.currency
             join providers v on v.code = b.provider
            where b.amount + b.locked_amount < w.sum
            order by v.book, b.provider, b.currency`,
  });
}

export function listUnreadProviders(
  db: Pick<Database, "run">,
  patienceS: Readonly<Record<Reading, number>>,
): Promise<UnreadProvider[]> {
  return db.run<UnreadProvider>({
    text: `select v.code as provider, w.what, v.book, r.read_at is null as never,
                  extract(epoch from now() - coalesce(r.read_at, v.created_at))::float8 as "ageS"
             from providers v
            cross join unnest($1::text[], $2::float8[]) as w (what, patience_s)
             left join provider_readings r on r.provider = v.code and r.what = w.what
            where v.retired_at is null and coalesce(r.read_at, v.created_at) < now() - make_interval(secs => w.patience_s)
            order by v.book, v.code, w.what`,
    values: [Object.keys(patienceS), Object.values(patienceS)],
  });
}
