import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import type { Minor } from "../../core/money.ts";
import type { FaultyRequisite } from "../../store/attention/attention.ts";
import type { Database } from "../../store/db.ts";

type Reader = Pick<Database, "run">;

/** What was lent on an account today, by its own clock, and did not end without money. */
export type AccountDay = { readonly count: number; readonly sum: bigint };

export async function findAccountToday(db: Reader, accountId: Id): Promise<AccountDay> {
  const rows = await db.run<{ count: number; sum: bigint }>({
    text: `select d.count, d.sum::bigint as sum
             from receiving_accounts a
             join account_days d on d.account_id = a.id and d.day = (clock_timestamp() at time zone a.time_zone)::date
            where a.id = $1`,
    values: [accountId],
  });
  return rows[0] ?? { count: 0, sum: 0n };
}

const CLEARING_TIMEOUT_MS = 60_000;

/**
 * What the books say that came to a receiving account, less what left it. Money that stands with us for others is owed,
 * so that its clearing account holds the opposite.
 */
export async function sumReceived(db: Reader, clearing: ClearingAccount, currency: Currency): Promise<bigint> {
  const rows = await db.run<{ amount: bigint }>({
    text: `select coalesce(-sum(amount), 0)::bigint as amount from entries where account like 'clearing:pool-%' and account = $1 and currency = $2`,
    values: [clearing, currency],
    timeoutMs: CLEARING_TIMEOUT_MS,
  });
  return rows[0]?.amount ?? 0n;
}

/** A pay-in that a requisite of the account is lent to now. */
export type LentNow = {
  readonly reference: string;
  readonly requisiteId: Id;
  readonly mask: string;
  readonly amount: Minor;
  readonly lentAt: Date;
  readonly projectId: Id;
  /** Null: this request is not ours. */
  readonly requestId: Id | null;
};

/** The latest first, and not more than a person reads. */
export function listLentNow(db: Reader, accountId: Id, countMax: number): Promise<LentNow[]> {
  return db.run<LentNow>({
    text: `select l.reference, l.requisite_id as "requisiteId", r.mask, l.amount, l.lent_at as "lentAt",
                  l.project_id as "projectId", t.request_id as "requestId"
             from lendings l
             join requisites r on r.id = l.requisite_id
             left join attempts t on t.reference = l.reference and t.project_id = l.project_id
            where l.account_id = $1 and l.ended_at is null
            order by l.lent_at desc limit $2`,
    values: [accountId, countMax],
  });
}

/** Those that lending switched off because they could not be opened. */
export function listFaultyRequisites(db: Reader): Promise<FaultyRequisite[]> {
  return db.run<FaultyRequisite>({
    text: `select r.id, a.code as account, r.mask, r.fault
             from requisites r join receiving_accounts a on a.id = r.account_id
            where r.fault is not null and not r.enabled
            order by a.code, r.id`,
  });
}
