import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Pile } from "../../store/attention/attention.ts";
import type { Database } from "../../store/db.ts";
import { IS_WAITING } from "./hand-payouts.ts";

type Reader = Pick<Database, "run">;

/** A payout that waits for a person. */
export type WaitingPayout = {
  readonly requestId: Id;
  readonly projectId: Id;
  readonly book: Book;
  readonly state: PaymentState;
  readonly reference: string;
  readonly code: string;
  readonly currency: Currency;
  readonly amount: Minor;
  /** Sealed. */
  readonly receiver: Buffer;
  readonly createdAt: Date;
  readonly account: string | null;
  readonly exportedAt: Date | null;
  readonly exportedBy: string | null;
  readonly exportId: Id | null;
  readonly now: Date;
};

const TABLES = `hand_payouts h
             join attempts a on a.reference = h.reference and a.project_id = h.project_id
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id
             join projects j on j.id = h.project_id`;

export type WaitingFilter = {
  readonly projectId: Id | undefined;
  /** Go on behind this payment. */
  readonly after: Id | undefined;
  readonly limit: number;
};

/** In the order of their payments' ids, which is that of creation. */
export function listWaitingPayouts(db: Reader, filter: WaitingFilter): Promise<WaitingPayout[]> {
  return db.run<WaitingPayout>({
    text: `select p.request_id as "requestId", p.project_id as "projectId", j.book, p.state, h.reference, h.code, h.currency,
                  h.amount, h.receiver, h.created_at as "createdAt", c.code as account, h.exported_at as "exportedAt",
                  h.exported_by as "exportedBy", h.export_id as "exportId", now() as now
             from ${TABLES} left join receiving_accounts c on c.id = h.account_id
            where ${IS_WAITING} and ($1::uuid is null or h.project_id = $1) and ($2::uuid is null or p.request_id > $2)
            order by p.request_id limit $3`,
    values: [filter.projectId ?? null, filter.after ?? null, filter.limit],
  });
}

/** Those that have waited for longer than this. */
export function countWaitingPayouts(db: Reader, olderThanS: number): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select j.book, h.currency, count(*)::int as count, sum(h.amount)::bigint as sum,
                  extract(epoch from now() - min(h.created_at))::float8 as "oldestS"
             from ${TABLES}
            where ${IS_WAITING} and h.created_at < now() - make_interval(secs => $1)
            group by j.book, h.currency order by j.book, h.currency`,
    values: [olderThanS],
  });
}

/** Unexplained debits of receiving accounts. */
export function countUnexplainedDebits(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select c.book, t.currency, count(*)::int as count, sum(t.amount)::bigint as sum,
                  extract(epoch from now() - min(t.recorded_at))::float8 as "oldestS"
             from bank_lines t join receiving_accounts c on c.id = t.account_id
            where t.outcome = 'unexplained' and t.reversed_at is null
            group by c.book, t.currency order by c.book, t.currency`,
  });
}
