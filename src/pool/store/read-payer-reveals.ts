import type { Id } from "../../core/ids.ts";
import type { Database } from "../../store/db.ts";

/** An operator saw what a bank says of the other side of a bank line. */
export type ShownReveal = {
  readonly id: Id;
  readonly account: string;
  readonly reference: string;
  readonly actor: string;
  readonly reason: string;
  readonly createdAt: Date;
};

export type RevealFilter = {
  readonly reference: string | undefined;
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Go on behind this one. */
  readonly after: Id | undefined;
  readonly limit: number;
};

/** The newest first: our ids grow with time. */
export function listPayerReveals(db: Pick<Database, "run">, filter: RevealFilter): Promise<ShownReveal[]> {
  return db.run<ShownReveal>({
    text: `select r.id, a.code as account, t.reference, r.actor, r.reason, r.created_at as "createdAt"
             from payer_reveals r
             join bank_lines t on t.id = r.line_id
             join receiving_accounts a on a.id = t.account_id
            where ($1::text is null or t.reference = $1)
              and ($2::timestamptz is null or r.created_at >= $2) and ($3::timestamptz is null or r.created_at < $3)
              and ($4::uuid is null or r.id < $4)
            order by r.id desc limit $5`,
    values: [filter.reference ?? null, filter.since ?? null, filter.until ?? null, filter.after ?? null, filter.limit],
  });
}
