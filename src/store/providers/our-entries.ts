import type { Currency } from "../../core/currency.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database } from "../db.ts";
import type { StoredAttempt } from "../payments/attempts.ts";

/** An attempt, and what moved under it through its provider. */
export type AttemptMoney = {
  readonly reference: string;
  readonly outcome: StoredAttempt["outcome"];
  readonly direction: Direction;
  /** The one that was in force for this attempt; null: the payer had not chosen. */
  readonly method: string | null;
  readonly currency: Currency;
  readonly state: PaymentState;
  readonly isPresent: boolean;
  readonly requested: Minor;
  readonly moved: Minor;
  readonly fee: Minor | null;
  /** Where the next portion goes on. */
  readonly cursor: EntryCursor;
};

/** To the microsecond, which a `Date` does not hold. */
export type EntryCursor = { readonly at: string; readonly reference: string };

/** A receipt bears the reference itself (a charge), or was made of a total under it. An operator's has another name: it is of the present attempt. */
const RECEIVED = `
  select coalesce(sum(r.amount), 0)::bigint as sum from receipts r
   where r.project_id = c.project_id and r.request_id = c.request_id and r.provider = c.provider
     and (split_part(r.receipt_reference, ':after:', 1) = c.reference
          or p.reference = c.reference
             and not exists (select from attempts o
                              where o.project_id = c.project_id and o.request_id = c.request_id
                                and o.reference = split_part(r.receipt_reference, ':after:', 1)))`;

/** What went to the clearing account of the provider, and did not come back; its fees are told apart. */
const PAID = `
  select coalesce(sum(case when t.to_account = 'clearing:' || c.provider then t.amount else -t.amount end), 0)::bigint as sum
    from transfers t
   where t.project_id = c.project_id and t.subject_id = c.request_id and t.kind <> 'cost' and p.reference = c.reference
     and 'clearing:' || c.provider in (t.from_account, t.to_account)`;

/** A charge that came after the end and was given back. */
const GIVEN_BACK = `
  select coalesce(sum(t.amount), 0)::bigint as sum from transfers t
   where t.project_id = c.project_id and t.subject_id = c.request_id and t.kind = 'reverse' and p.reference = c.reference
     and t.to_account = 'clearing:' || c.provider`;

/** `chosen`: the attempts in question. */
function textOf(chosen: string): string {
  return `with chosen as materialized (${chosen})
          select c.reference, c.outcome, c.fee, p.direction, coalesce(h.method, p.method) as method, p.currency, p.state,
                 coalesce(p.reference = c.reference, false) as "isPresent", p.requested_amount as requested,
                 case p.direction when 'payin' then (${RECEIVED}) - (${GIVEN_BACK}) else (${PAID}) end as moved,
                 json_build_object('at', c.created_at::text, 'reference', c.reference) as cursor
            from chosen c
            join payments p on p.project_id = c.project_id and p.request_id = c.request_id
            left join page_choices h on h.project_id = c.project_id and h.request_id = c.request_id and h.reference = c.reference
           order by c.created_at, c.reference`;
}

const COLUMNS = "a.project_id, a.request_id, a.provider, a.reference, a.outcome, a.fee, a.created_at";
/** In these words, so that the planner sees that the index of configured providers will do. */
const OF_PROVIDER = "a.provider = $1 and a.provider <> 'sandbox' and a.provider <> 'pool'";

/** A portion is a statement of its own: the provider is asked in between, and that may take minutes. */
export const PORTION_STATEMENT = textOf(
  `select ${COLUMNS} from attempts a
    where ${OF_PROVIDER} and (a.created_at, a.reference) > ($2::timestamptz, $3::text) and a.created_at < $4
    order by a.created_at, a.reference limit $5`,
);

export type EntryPeriod = { readonly since: Date; readonly until: Date };

/** Those that were made in this time, oldest first. */
export function listAttemptMoney(
  db: Pick<Database, "run">,
  provider: string,
  { since, until }: EntryPeriod,
  after: EntryCursor | undefined,
  countMax: number,
): Promise<AttemptMoney[]> {
  return db.run<AttemptMoney>({
    text: PORTION_STATEMENT,
    values: [provider, after?.at ?? since.toISOString(), after?.reference ?? "", until, countMax],
    timeoutMs: READ_TIMEOUT_MS,
  });
}

/** Those with these references, whenever they were made. */
export function findAttemptMoney(
  db: Pick<Database, "run">,
  provider: string,
  references: readonly string[],
): Promise<AttemptMoney[]> {
  return db.run<AttemptMoney>({
    text: textOf(`select ${COLUMNS} from attempts a where a.reference = any($2) and a.provider = $1`),
    values: [provider, references],
    timeoutMs: READ_TIMEOUT_MS,
  });
}

const READ_TIMEOUT_MS = 60_000;
