import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database } from "../db.ts";
import { PILE_CONDITIONS } from "../payments/read-payments.ts";

/** What people should look at, counted. Each statement reads a small partial index, since metrics ask for it often. */
type Reader = Pick<Database, "run">;

/** Payments that have the same trouble, with what they are worth together. */
export type Pile = {
  readonly book: Book;
  readonly currency: Currency;
  readonly count: number;
  readonly sum: Minor;
  readonly oldestS: number;
};

/** A requisite that lending switched off because it could not be opened. */
export type FaultyRequisite = {
  readonly id: Id;
  readonly account: string;
  readonly mask: string;
  readonly fault: string;
};

const COUNTED = `j.book, p.currency, count(*)::int as count, sum(p.requested_amount)::bigint as sum`;

export function countUnknown(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.unknown_since))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where ${PILE_CONDITIONS.unknown}
            group by j.book, p.currency order by j.book, p.currency`,
  });
}

/** A payment that no worker processed in time: the workers are down, or cannot keep up. */
export async function countLate(db: Reader): Promise<{ readonly count: number; readonly oldestS: number }> {
  const rows = await db.run<{ count: number; oldestS: number }>({
    text: `select count(*)::int as count, coalesce(extract(epoch from now() - min(p.due_at)), 0)::float8 as "oldestS"
             from payments p where ${PILE_CONDITIONS.late}`,
  });
  return rows[0] ?? { count: 0, oldestS: 0 };
}

/** How long the payment that waits longest for a worker has been due. */
export async function readOldestDueS(db: Reader): Promise<number> {
  const rows = await db.run<{ oldestS: number }>({
    text: `select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as "oldestS" from payments where due_at <= now()`,
  });
  return rows[0]?.oldestS ?? 0;
}

export type DisputePile = Pile & { readonly state: PaymentState };

/** Real money first, and the oldest of it. */
export function countDisputes(db: Reader): Promise<DisputePile[]> {
  return db.run<DisputePile>({
    text: `select p.state, ${COUNTED}, extract(epoch from now() - min(p.updated_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where p.state like 'dispute:%'
            group by p.state, j.book, p.currency order by j.book, "oldestS" desc, p.state, p.currency`,
  });
}

/** Of the last so many days: nothing ever undoes a shortfall, so older ones would never leave the list. */
export function countShortfalls(db: Reader, daysMax: number): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.shortfall_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where p.shortfall_at > now() - make_interval(days => $1)
            group by j.book, p.currency order by j.book, p.currency`,
    values: [daysMax],
  });
}

/** Of the last so many days, as shortfalls: no later word ends a contradiction. */
export function countContradicted(db: Reader, daysMax: number): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.contradicted_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where p.contradicted_at > now() - make_interval(days => $1)
            group by j.book, p.currency order by j.book, p.currency`,
    values: [daysMax],
  });
}

export function countWaitingForRoom(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.updated_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where ${PILE_CONDITIONS.room}
            group by j.book, p.currency order by j.book, p.currency`,
  });
}

/** Payouts that no provider has been given for a while, although payouts are not paused. */
export function countUnsentPayouts(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.created_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where ${PILE_CONDITIONS.unsent}
            group by j.book, p.currency order by j.book, p.currency`,
  });
}

/** Payouts that are not sent because payouts are paused, for all or for their project. */
export function countPausedPayouts(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `select ${COUNTED}, extract(epoch from now() - min(p.created_at))::float8 as "oldestS"
             from payments p join projects j on j.id = p.project_id
            where ${PILE_CONDITIONS.paused}
            group by j.book, p.currency order by j.book, p.currency`,
  });
}

export function countSuspense(db: Reader): Promise<Pile[]> {
  return db.run<Pile>({
    text: `with standing as (
             select project_id, subject_id, currency, sum(amount) as amount, min(created_at) as since
               from entries where account = 'suspense'
              group by project_id, subject_id, currency having sum(amount) <> 0)
           select j.book, s.currency, count(*)::int as count, sum(s.amount)::bigint as sum,
                  extract(epoch from now() - min(s.since))::float8 as "oldestS"
             from standing s join projects j on j.id = s.project_id
            group by j.book, s.currency order by j.book, s.currency`,
  });
}

export type UnreversedPile = Pile & { readonly provider: string };

/**
 * Charges that came after the end, and that their providers cannot reverse: nothing is left to tell these (`released_at`), and the
 * money stands in suspense. Those that were reversed have left it.
 */
export function countUnreversedCharges(db: Reader): Promise<UnreversedPile[]> {
  return db.run<UnreversedPile>({
    text: `with standing as (
             select project_id, subject_id, currency, sum(amount) as amount, min(created_at) as since,
                    coalesce(-sum(amount) filter (where kind = 'reverse'), 0) as reversed
               from entries where account = 'suspense'
              group by project_id, subject_id, currency having sum(amount) <> 0)
           select c.provider, j.book, s.currency, count(*)::int as count, sum(least(s.amount, c.charged - s.reversed))::bigint as sum,
                  extract(epoch from now() - min(s.since))::float8 as "oldestS"
             from standing s
             join projects j on j.id = s.project_id
            cross join lateral (
              select l.provider, sum(l.charged) as charged
                from (select p.provider, p.received_amount as charged from payments p
                       where p.project_id = s.project_id and p.request_id = s.subject_id and p.direction = 'payin'
                         and p.method = 'card-ecom' and p.state = 'decline' and p.received_amount > 0 and p.released_at is not null
                      union all
                      select h.provider, h.received_amount from page_choices h
                       where h.project_id = s.project_id and h.request_id = s.subject_id
                         and h.method = 'card-ecom' and h.received_amount > 0 and h.released_at is not null) l
               group by l.provider) c
            where c.charged > s.reversed
            group by c.provider, j.book, s.currency order by j.book, c.provider, s.currency`,
  });
}

export type PausedProject = { readonly id: Id; readonly name: string };

/** However they were paused. */
export function listPausedProjects(db: Reader): Promise<PausedProject[]> {
  return db.run<PausedProject>({ text: `select id, name from projects where status = 'paused' order by id` });
}
