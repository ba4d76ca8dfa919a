import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database } from "../db.ts";

/** Money in suspense under one payment. */
export type SuspenseEntry = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly book: Book;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly paymentId: string;
  readonly direction: Direction;
  readonly state: PaymentState;
  /** Since the first of it came. */
  readonly ageS: number;
};

/** Of one project, or of all; the oldest first. */
export function listSuspense(db: Pick<Database, "run">, projectId: Id | undefined): Promise<SuspenseEntry[]> {
  return db.run<SuspenseEntry>({
    text: `with standing as (
             select project_id, subject_id, currency, sum(amount)::bigint as amount, min(created_at) as since
               from entries
              where account = 'suspense' and ($1::uuid is null or project_id = $1)
              group by project_id, subject_id, currency having sum(amount) <> 0)
           select s.project_id as "projectId", s.subject_id as "requestId", j.book, s.currency, s.amount,
                  p.payment_id as "paymentId", p.direction, p.state,
                  extract(epoch from now() - s.since)::float8 as "ageS"
             from standing s
             join projects j on j.id = s.project_id
             join payments p on p.project_id = s.project_id and p.request_id = s.subject_id
            order by s.since, s.subject_id`,
    values: [projectId ?? null],
  });
}
