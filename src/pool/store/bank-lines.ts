import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../../store/db.ts";
import type { BankLineOutcome } from "../core/bank-line-outcome.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";

export type BankLineDirection = "credit" | "debit";

export type { BankLineOutcome } from "../core/bank-line-outcome.ts";

export type BankLine = {
  readonly accountId: Id;
  readonly id: Id;
  /** The bank's own name for it. */
  readonly reference: string;
  readonly direction: BankLineDirection;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly bookedFrom: Date;
  readonly bookedTo: Date;
  /** `YYYY-MM-DD` in the account's time zone. */
  readonly bookedDay: string;
  /** Sealed. */
  readonly payer: Buffer | null;
  readonly outcome: BankLineOutcome;
  readonly projectId: Id | null;
  readonly requestId: Id | null;
  readonly actor: string;
  /** What its receipt is called, where that is not the reference. */
  readonly countedAs?: string | null;
};

/**
 * A caller that looks a bank line up and then acts on it alone locks the account's lines; lending continues meanwhile.
 * Statements share them: of two that report the same line at once, the second finds its reference taken and looks again.
 */
export async function lockLinesOf(
  tx: Transaction,
  accountIds: readonly Id[],
  manner: "alone" | "shared" = "alone",
): Promise<void> {
  const lock = manner === "alone" ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared";
  await tx.run({
    text: `select ${lock}(hashtext('tillgate_bank_lines'), hashtext(a::text))
             from unnest($1::uuid[]) as a order by hashtext(a::text)`,
    values: [[...new Set(accountIds)]],
    timeoutMs: 0,
  });
}

export type BookedSpan = {
  readonly from: Date;
  readonly to: Date;
  readonly day: string;
  /** Not in the future. */
  readonly receivedAt: Date;
};

/**
 * What the account's clock said, as moments. In the night when clocks are set back an hour is written twice: what was
 * booked then may be in the first as well as in the second, and PostgreSQL answers with the second.
 */
export function resolveBookedTimes(
  tx: Pick<Database, "run">,
  times: readonly { readonly accountId: Id; readonly booked: BookedTime }[],
): Promise<BookedSpan[]> {
  const text = (moment: Date | string) => (typeof moment === "string" ? moment : moment.toISOString());
  return tx.run<BookedSpan>({
    name: "resolve_booked_times",
    text: `select case when t.is_local and (m."from" - interval '1 hour') at time zone a.time_zone = m."from" at time zone a.time_zone
                       then m."from" - interval '1 hour' else m."from" end as "from",
                  m."to", to_char(m."to" at time zone a.time_zone, 'YYYY-MM-DD') as day, least(m."to", now()) as "receivedAt"
             from unnest($1::uuid[], $2::boolean[], $3::text[], $4::text[])
                    with ordinality as t (account_id, is_local, booked_from, booked_to, place)
             join receiving_accounts a on a.id = t.account_id
            cross join lateral (
              select case when t.is_local then t.booked_from::timestamp at time zone a.time_zone else t.booked_from::timestamptz end as "from",
                     case when t.is_local then t.booked_to::timestamp at time zone a.time_zone else t.booked_to::timestamptz end as "to") m
            order by t.place`,
    values: [
      times.map(({ accountId }) => accountId),
      times.map(({ booked }) => booked.kind === "local"),
      times.map(({ booked }) => text(booked.from)),
      times.map(({ booked }) => text(booked.to)),
    ],
  });
}

export type BankLineName = Pick<BankLine, "accountId" | "reference">;
export type KnownLine = Pick<
  BankLine,
  "accountId" | "reference" | "direction" | "currency" | "amount" | "bookedDay" | "outcome" | "projectId" | "requestId"
>;

export function listKnownLines(tx: Transaction, names: readonly BankLineName[]): Promise<KnownLine[]> {
  return tx.run<KnownLine>({
    name: "list_known_lines",
    text: `select t.account_id as "accountId", t.reference, t.direction, t.currency, t.amount,
                  to_char(t.booked_day, 'YYYY-MM-DD') as "bookedDay", t.outcome, t.project_id as "projectId", t.request_id as "requestId"
             from unnest($1::uuid[], $2::text[]) as n (account_id, reference)
             join bank_lines t on t.account_id = n.account_id and t.reference = n.reference and t.reversed_at is null`,
    values: [names.map((name) => name.accountId), names.map((name) => name.reference)],
  });
}

/** Those of these references under which an entry was reversed. */
export function listReversedNames(tx: Transaction, names: readonly BankLineName[]): Promise<BankLineName[]> {
  return tx.run<BankLineName>({
    name: "list_reversed_names",
    text: `select distinct t.account_id as "accountId", t.reference
             from unnest($1::uuid[], $2::text[]) as n (account_id, reference)
             join bank_lines t on t.account_id = n.account_id and t.reference = n.reference and t.reversed_at is not null`,
    values: [names.map((name) => name.accountId), names.map((name) => name.reference)],
  });
}

export async function insertBankLines(tx: Transaction, lines: readonly BankLine[]): Promise<void> {
  await tx.run({
    name: "insert_bank_lines",
    text: `insert into bank_lines (account_id, id, reference, direction, currency, amount, booked_from, booked_to, booked_day,
                                       payer, outcome, project_id, request_id, actor, counted_as)
           select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[],
                                $8::timestamptz[], $9::date[], $10::bytea[], $11::text[], $12::uuid[], $13::uuid[], $14::text[], $15::text[])`,
    values: [
      lines.map((line) => line.accountId),
      lines.map((line) => line.id),
      lines.map((line) => line.reference),
      lines.map((line) => line.direction),
      lines.map((line) => line.currency),
      lines.map((line) => line.amount),
      lines.map((line) => line.bookedFrom),
      lines.map((line) => line.bookedTo),
      lines.map((line) => line.bookedDay),
      lines.map((line) => line.payer),
      lines.map((line) => line.outcome),
      lines.map((line) => line.projectId),
      lines.map((line) => line.requestId),
      lines.map((line) => line.actor),
      lines.map((line) => line.countedAs ?? null),
    ],
  });
}

/** The credits that were put under the payment of an order, in the order of their arrival here. */
export function listCreditsOf(
  db: Pick<Database, "run">,
  reference: string,
): Promise<
  { readonly reference: string; readonly amount: Minor; readonly receivedAt: Date; readonly account: string }[]
> {
  return db.run({
    name: "list_credits_of",
    text: `select coalesce(t.counted_as, t.reference) as reference, t.amount, least(t.booked_to, t.recorded_at) as "receivedAt", c.code as account
             from attempts a
             join bank_lines t on t.project_id = a.project_id and t.request_id = a.request_id and t.direction = 'credit'
                                  and t.reversed_at is null
             join receiving_accounts c on c.id = t.account_id
            where a.reference = $1
            order by t.recorded_at, t.reference`,
    values: [reference],
  });
}
