import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database, Transaction } from "../../store/db.ts";
import type { RequisiteType } from "../core/requisite-value.ts";

export type LendingRequest = {
  readonly reference: string;
  readonly projectId: string;
  readonly type: RequisiteType;
  readonly method: Method;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly bank: string | null;
  readonly bankRequired: boolean;
};

/** See the function lend_requisite. */
export type LendingVerdict = {
  readonly verdict: "lent" | "other" | "over" | "none" | "busy";
  readonly accountId: Id | null;
  readonly requisiteId: Id | null;
};

export async function lendRequisite(
  tx: Pick<Database, "run">,
  request: LendingRequest,
  waitingFor: Id | null,
): Promise<LendingVerdict> {
  const rows = await tx.run<LendingVerdict>({
    name: "lend_requisite",
    text: `select verdict, account_id as "accountId", requisite_id as "requisiteId"
             from lend_requisite($1, $2::uuid, $3, $4, $5, $6::bigint, $7, $8, $9::uuid)`,
    values: [
      request.reference,
      request.projectId,
      request.type,
      request.method,
      request.currency,
      request.amount,
      request.bank,
      request.bankRequired,
      waitingFor,
    ],
  });
  return rows[0] ?? { verdict: "none", accountId: null, requisiteId: null };
}

/**
 * The pay-in that it was lent to is over, since its own end where we know it. What was declined without money gives back
 * its part of the account's day; an unknown request never had any.
 */
export async function endLending(db: Pick<Database, "run">, reference: string): Promise<void> {
  await db.run({
    name: "end_lending",
    text: `select end_lending($1, coalesce(c.received_amount = 0, p.state <> 'success' and p.received_amount = 0, true),
                              coalesce(c.ended_at, p.finished_at))
             from (values ($1)) as o (reference)
             left join attempts a on a.reference = o.reference
             left join payments p on p.project_id = a.project_id and p.request_id = a.request_id
             left join page_choices c on c.project_id = a.project_id and c.request_id = a.request_id
                                     and c.reference = a.reference`,
    values: [reference],
  });
}

/**
 * The same for what no payer was shown yet: the attempt is still open. False: a payer was, and then it is over when its
 * payment is.
 */
export async function endUnshownLending(db: Pick<Database, "run">, reference: string): Promise<boolean> {
  const rows = await db.run({
    text: `select end_lending($1, true, null)
             from (values ($1)) as o (reference) left join attempts a on a.reference = o.reference
            where coalesce(a.outcome, 'open') = 'open'`,
    values: [reference],
  });
  return rows.length === 1;
}

/** False: nothing was ever lent under it. */
export async function noteLendingConfirmed(db: Pick<Database, "run">, reference: string): Promise<boolean> {
  const rows = await db.run({
    text: `update lendings set confirmed_at = coalesce(confirmed_at, now())
            where reference = $1 and account_id is not null returning reference`,
    values: [reference],
  });
  return rows.length === 1;
}

/** Withdraws a requisite from all pay-ins that have it: they are declined, and no other payer should pay there. */
export async function withdrawLendings(tx: Transaction, requisiteId: Id): Promise<string[]> {
  const rows = await tx.run<{ reference: string }>({
    text: `update lendings set withdrawn_at = now()
            where requisite_id = $1 and ended_at is null and withdrawn_at is null returning reference`,
    values: [requisiteId],
  });
  return rows.map(({ reference }) => reference);
}

/** A lending with everything that the payer is shown; what is sealed stays sealed. */
export type ShownLending = {
  readonly reference: string;
  readonly accountId: Id | null;
  readonly accountCode: string | null;
  readonly book: Book | null;
  readonly requisiteId: Id | null;
  readonly type: RequisiteType | null;
  readonly value: Buffer | null;
  readonly holder: Buffer | null;
  readonly bank: string | null;
  readonly bankName: string | null;
  readonly endedAt: Date | null;
  readonly withdrawnAt: Date | null;
};

export async function findLending(db: Pick<Database, "run">, reference: string): Promise<ShownLending | undefined> {
  const rows = await db.run<ShownLending>({
    name: "find_lending",
    text: `select l.reference, l.account_id as "accountId", a.code as "accountCode", a.book, l.requisite_id as "requisiteId", r.type,
                  r.value, a.holder, a.bank, b.name as "bankName", l.ended_at as "endedAt", l.withdrawn_at as "withdrawnAt"
             from lendings l
             left join receiving_accounts a on a.id = l.account_id
             left join requisites r on r.id = l.requisite_id
             left join banks b on b.symbol = a.bank
            where l.reference = $1`,
    values: [reference],
  });
  return rows[0];
}

/** A pay-in that an account was lent to while a bank line may have been booked. */
export type LendingHolder = {
  /** The place of the line in the question. */
  readonly place: number;
  readonly reference: string;
  readonly isSameSum: boolean;
  /** Its payer was shown the account before the booking ended. */
  readonly isShown: boolean;
  readonly projectId: Id;
  readonly requestId: Id;
  readonly state: PaymentState;
  /** The payer of a hosted page has left this lending, by the choice with this number; null: it is the payment's present one. */
  readonly leftChoice: number | null;
};

export type HolderQuestion = {
  readonly accountId: Id;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly bookedFrom: Date;
  readonly bookedTo: Date;
};

/**
 * For each line, the pay-ins that had exactly its amount, or, if there were none, those that had the account: at most two of either, since two
 * are as good as many. Lent before the booking ended, and the quarantine was not over when it began. What was lent is
 * shown a moment later, as its attempt ends, or never, where the payment ended first or its worker died.
 */
export function listHolders(tx: Transaction, questions: readonly HolderQuestion[]): Promise<LendingHolder[]> {
  return tx.run<LendingHolder>({
    name: "list_holders",
    text: `with question as (
             select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
               with ordinality as q (account_id, currency, amount, booked_from, booked_to, place)),
           by_sum as (
             select q.place, l.reference, l.project_id
               from question q cross join lateral (
                 (select l.reference, l.project_id from lendings l
                   where l.account_id = q.account_id and l.currency = q.currency and l.amount = q.amount
                     and not l.freed and l.ended_at is null and l.lent_at <= q.booked_to)
                 union all
                 (select l.reference, l.project_id from lendings l
                   where l.account_id = q.account_id and l.currency = q.currency and l.amount = q.amount
                     and l.held_until > q.booked_from and l.lent_at <= q.booked_to
                   order by l.held_until limit 2)
                 limit 2) l),
           on_account as (
             select q.place, l.reference, l.project_id
               from question q cross join lateral (
                 (select l.reference, l.project_id from lendings l
                   where l.account_id = q.account_id and l.ended_at is null and l.lent_at <= q.booked_to limit 2)
                 union all
                 (select l.reference, l.project_id from lendings l
                   where l.account_id = q.account_id and l.held_until > q.booked_from and l.lent_at <= q.booked_to
                   order by l.held_until limit 2)
                 limit 2) l
              where not exists (select from by_sum s where s.place = q.place))
           select h.place::int as place, h.reference, h.same as "isSameSum", p.project_id as "projectId", p.request_id as "requestId",
                  case when c.number is null then p.state else 'decline' end as state, c.number as "leftChoice",
                  a.outcome = 'taken' and (p.reference = a.reference or c.number is not null)
                    and date_trunc('milliseconds', a.ended_at) <= q.booked_to as "isShown"
             from (select place, true as same, reference, project_id from by_sum
                   union all select place, false, reference, project_id from on_account) h
             join question q on q.place = h.place
             join attempts a on a.reference = h.reference and a.project_id = h.project_id
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id
             left join page_choices c on c.project_id = a.project_id and c.request_id = a.request_id
                                     and c.reference = a.reference`,
    values: [
      questions.map((question) => question.accountId),
      questions.map((question) => question.currency),
      questions.map((question) => question.amount),
      questions.map((question) => question.bookedFrom),
      questions.map((question) => question.bookedTo),
    ],
  });
}

export type LentSum = Pick<HolderQuestion, "accountId" | "currency" | "amount">;

/** Which of these sums were ever lent on their accounts: their places, counted from one. */
export async function listLentSums(db: Pick<Database, "run">, sums: readonly LentSum[]): Promise<number[]> {
  const rows = await db.run<{ place: number }>({
    name: "list_lent_sums",
    text: `select q.place::int as place
             from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as q (account_id, currency, amount, place)
            where exists (select from lendings l
                           where l.account_id = q.account_id and l.currency = q.currency and l.amount = q.amount)`,
    values: [sums.map((sum) => sum.accountId), sums.map((sum) => sum.currency), sums.map((sum) => sum.amount)],
  });
  return rows.map(({ place }) => place);
}
