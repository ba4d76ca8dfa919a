import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Database } from "../../store/db.ts";

/** Whether a requisite could be shown to the next payer: its account has room, is full for now, is outside its hours, or is off. */
type RequisiteRoom = "free" | "full" | "closed" | "off";

export type PoolRoom = {
  readonly book: Book;
  readonly currency: Currency;
  readonly method: Method;
  readonly room: RequisiteRoom;
  readonly count: number;
};

/**
 * How many requisites of each method there are, by their room. Of the conditions of list_lenders these are the ones that do not
 * depend on the sum; a day's sum is full when not even the smallest sum fits.
 */
export function countPoolRoom(db: Pick<Database, "run">): Promise<PoolRoom[]> {
  return db.run<PoolRoom>({
    text: `select a.book, a.currency, m.method,
                  case when not a.enabled or not r.enabled then 'off'
                       when not is_open_at(a.opens_at, a.closes_at, a.time_zone, statement_timestamp()) then 'closed'
                       when a.live_count >= a.parallel_max or coalesce(d.count, 0) >= a.day_count_max
                            or coalesce(d.sum, 0) + a.min_amount > a.day_sum_max
                            or (a.cool_down_s > 0 and a.last_lent_at + make_interval(secs => a.cool_down_s) > clock_timestamp())
                         then 'full'
                       else 'free' end as room,
                  count(*)::int as count
             from receiving_accounts a
             join requisites r on r.account_id = a.id
            cross join unnest(r.methods) as m (method)
             left join account_days d on d.account_id = a.id and d.day = (clock_timestamp() at time zone a.time_zone)::date
            group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  });
}
