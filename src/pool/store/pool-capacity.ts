import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { Database } from "../../store/db.ts";
import type { RequisiteType } from "../core/requisite-value.ts";

/** A question of an operator: could a payer of this amount be lent a requisite now? */
export type CapacityQuestion = {
  readonly book: Book;
  readonly currency: Currency;
  readonly amount: Minor;
  /** Null: any that the account serves. */
  readonly method: { readonly code: Method; readonly type: RequisiteType } | null;
  readonly bank: string | null;
  readonly bankRequired: boolean;
};

/** Why an account cannot take the sum now. */
type CapacityObstacle =
  | "off"
  | "closed"
  | "below_min"
  | "above_max"
  | "parallel_limit"
  | "day_count_limit"
  | "day_sum_limit"
  | "cooling_down"
  | "sum_lent"
  | "sum_reserved"
  | "no_requisite"
  | "other_bank";

export type AccountCapacity = {
  readonly code: string;
  readonly bank: string;
  readonly priority: number;
  /** Null: it is free. */
  readonly obstacle: CapacityObstacle | null;
  /** When it is over, where that can be said. */
  readonly until: Date | null;
  readonly minAmount: Minor;
  readonly maxAmount: Minor;
  readonly parallelMax: number | null;
  readonly dayCountMax: number | null;
  readonly daySumMax: Minor | null;
  readonly todaySum: bigint;
  readonly opensAt: string | null;
  readonly closesAt: string | null;
  readonly timeZone: string;
};

/**
 * Every account of the book and currency, in the order in which they would be lent from, with the first reason why not.
 * These are the conditions of the function list_lenders, which decides; a test holds the two together.
 */
export function listCapacity(db: Pick<Database, "run">, question: CapacityQuestion): Promise<AccountCapacity[]> {
  const { book, currency, amount, method, bank, bankRequired } = question;
  return db.run<AccountCapacity>({
    text: `with candidate as (
             select a.*, coalesce(d.count, 0) as today_count, coalesce(d.sum, 0)::bigint as today_sum,
                    a.last_lent_at + make_interval(secs => a.cool_down_s) as cool_at,
                    h.reference as held_by, h.held_until
               from receiving_accounts a
               left join account_days d on d.account_id = a.id and d.day = (clock_timestamp() at time zone a.time_zone)::date
               left join lendings h on h.account_id = a.id and h.currency = $2 and h.amount = $3::bigint and not h.freed
                                   and (h.held_until is null or h.held_until > clock_timestamp())
              where a.book = $1 and a.currency = $2),
           judged as (
             select c.*,
                    case when not c.enabled then 'off'
                         when not is_open_at(c.opens_at, c.closes_at, c.time_zone, clock_timestamp()) then 'closed'
                         when $3 < c.min_amount then 'below_min'
                         when $3 > c.max_amount then 'above_max'
                         when c.live_count >= c.parallel_max then 'parallel_limit'
                         when c.today_count >= c.day_count_max then 'day_count_limit'
                         when c.today_sum + $3 > c.day_sum_max then 'day_sum_limit'
                         when c.cool_down_s > 0 and c.cool_at > clock_timestamp() then 'cooling_down'
                         when c.held_by is not null then case when c.held_until is null then 'sum_lent' else 'sum_reserved' end
                         when not exists (select from requisites r
                                           where r.account_id = c.id and r.enabled
                                             and ($4::text is null or (r.type = $5 and $4 = any(r.methods)))) then 'no_requisite'
                         when $7 and c.bank is distinct from $6 then 'other_bank' end as obstacle
               from candidate c)
           select j.code, j.bank, j.priority, j.obstacle,
                  case j.obstacle when 'cooling_down' then j.cool_at when 'sum_reserved' then j.held_until end as until,
                  j.min_amount as "minAmount", j.max_amount as "maxAmount", j.parallel_max as "parallelMax",
                  j.day_count_max as "dayCountMax", j.day_sum_max as "daySumMax", j.today_sum as "todaySum",
                  j.opens_at as "opensAt", j.closes_at as "closesAt", j.time_zone as "timeZone"
             from judged j
            order by (j.bank is not distinct from $6) desc, j.priority desc, j.last_lent_at nulls first, j.id`,
    values: [book, currency, amount, method?.code ?? null, method?.type ?? null, bank, bankRequired],
  });
}
