import type { SandboxDatabase } from "../database.ts";

/** A pay-in whose payer opens a link, as the bank's page shows it. */
export type LinkedPayin = {
  readonly reference: string;
  readonly project_id: string;
  readonly currency: string;
  readonly amount: string;
  readonly status: string;
  readonly is_over: boolean;
  /** How often its payer has paid, and how much together. */
  readonly paid_count: number;
  readonly paid_amount: string;
};

export async function findLinkedPayin(db: SandboxDatabase, token: string): Promise<LinkedPayin | undefined> {
  const rows = await db.run<LinkedPayin>(
    `select p.reference, p.project_id, p.currency, p.amount, p.status, p.expires_at <= now() as is_over,
       (select count(*)::integer from sandbox.book_entries e where e.reference = p.reference and e.direction = 'arrived') as paid_count,
       (select coalesce(sum(e.amount), 0)::text from sandbox.book_entries e
         where e.reference = p.reference and e.direction = 'arrived') as paid_amount
     from sandbox.payins p where p.link_token = $1`,
    [token],
  );
  return rows[0];
}
