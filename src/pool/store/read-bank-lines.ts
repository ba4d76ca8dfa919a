import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";
import type { BankLine, BankLineOutcome } from "./bank-lines.ts";

/** A bank line as people see it: what the bank says of the other side stays sealed. */
export type ShownLine = Omit<BankLine, "payer"> & {
  readonly account: string;
  readonly recordedAt: Date;
  readonly reversedAt: Date | null;
};

export type BankLineFilter = {
  readonly account: Id | undefined;
  readonly outcome: BankLineOutcome | undefined;
  readonly reference: string | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly after: Id | undefined;
  readonly limit: number;
};

/** The last recorded first. */
export function listBankLines(db: Pick<Database, "run">, filter: BankLineFilter): Promise<ShownLine[]> {
  return db.run<ShownLine>({
    text: `select t.account_id as "accountId", a.code as account, t.id, t.reference, t.direction, t.currency, t.amount,
                  t.booked_from as "bookedFrom", t.booked_to as "bookedTo", to_char(t.booked_day, 'YYYY-MM-DD') as "bookedDay",
                  t.outcome, t.project_id as "projectId", t.request_id as "requestId", t.actor, t.recorded_at as "recordedAt",
                  t.reversed_at as "reversedAt"
             from bank_lines t join receiving_accounts a on a.id = t.account_id
            where ($1::uuid is null or t.account_id = $1) and ($2::text is null or (t.outcome = $2 and t.reversed_at is null))
              and ($3::text is null or t.reference = $3)
              and ($4::timestamptz is null or t.booked_to >= $4) and ($5::timestamptz is null or t.booked_from < $5)
              and ($6::uuid is null or t.id < $6)
            order by t.id desc limit $7`,
    values: [
      filter.account ?? null,
      filter.outcome ?? null,
      filter.reference ?? null,
      filter.since ?? null,
      filter.until ?? null,
      filter.after ?? null,
      filter.limit,
    ],
  });
}

/** How far the statements of each account were imported, by the last line that its bank booked; null: no line is there. */
export function listImportedUntil(
  db: Pick<Database, "run">,
): Promise<{ readonly account: string; readonly lastBookedAt: Date | null }[]> {
  return db.run({
    text: `select c.code as account,
                  (select t.booked_to from bank_lines t where t.account_id = c.id
                    order by t.booked_day desc, t.booked_to desc limit 1) as "lastBookedAt"
             from receiving_accounts c order by c.code`,
  });
}
