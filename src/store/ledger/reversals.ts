import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";

/** An operator took an entry back: a movement out of suspense, a line of a receiving account, or funds of a provider. */
export type Reversal = {
  readonly projectId: Id;
  readonly id: Id;
  readonly entry: "suspense_move" | "bank_line" | "provider_funds";
  readonly entryId: Id;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly reason: string;
  readonly actor: string;
};

export async function insertReversal(tx: Transaction, reversal: Reversal): Promise<void> {
  await tx.run({
    text: `insert into reversals (project_id, id, entry, entry_id, currency, amount, reason, actor)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      reversal.projectId,
      reversal.id,
      reversal.entry,
      reversal.entryId,
      reversal.currency,
      reversal.amount,
      reversal.reason,
      reversal.actor,
    ],
  });
}

export async function markMoveReversed(tx: Transaction, projectId: Id, id: Id): Promise<void> {
  await tx.run({
    text: "update suspense_moves set reversed_at = now() where project_id = $1 and id = $2",
    values: [projectId, id],
  });
}

export async function markLineReversed(tx: Transaction, id: Id): Promise<void> {
  await tx.run({ text: "update bank_lines set reversed_at = now() where id = $1", values: [id] });
}

/** Who took an entry back, and when. */
export type EarlierReversal = { readonly actor: string; readonly createdAt: Date };

/** The last of the movements of a payment that were reversed under this reference. */
export async function findReversedMove(
  db: Pick<Database, "run">,
  { projectId, requestId }: { readonly projectId: Id; readonly requestId: Id },
  reference: string,
): Promise<EarlierReversal | undefined> {
  const rows = await db.run<EarlierReversal>({
    text: `select r.actor, r.created_at as "createdAt"
             from suspense_moves m join reversals r on r.project_id = m.project_id and r.entry_id = m.id
            where m.project_id = $1 and m.request_id = $2 and m.reference = $3
            order by r.created_at desc limit 1`,
    values: [projectId, requestId, reference],
  });
  return rows[0];
}

/** The last of the lines of an account that were reversed under this reference. */
export async function findReversedLine(
  tx: Transaction,
  accountId: Id,
  reference: string,
): Promise<EarlierReversal | undefined> {
  const rows = await tx.run<EarlierReversal>({
    text: `select r.actor, r.created_at as "createdAt"
             from bank_lines t join reversals r on r.entry_id = t.id and r.entry = 'bank_line'
            where t.account_id = $1 and t.reference = $2 and t.reversed_at is not null
            order by r.created_at desc limit 1`,
    values: [accountId, reference],
  });
  return rows[0];
}

/** Whether a debit stood unexplained before it was said what it was: the bank itself reported it then. */
export async function wasUnexplained(tx: Transaction, houseProjectId: Id, lineId: Id): Promise<boolean> {
  const rows = await tx.run({
    text: "select from transfers where project_id = $1 and subject_id = $2 and kind in ('explain', 'cost') limit 1",
    values: [houseProjectId, lineId],
  });
  return rows.length > 0;
}

/** The same bank line again, under a new id, as unexplained. */
export async function insertUnexplainedAgain(
  tx: Transaction,
  { of, id, actor }: { readonly of: Id; readonly id: Id; readonly actor: string },
): Promise<void> {
  await tx.run({
    text: `insert into bank_lines (account_id, id, reference, direction, currency, amount, booked_from, booked_to, booked_day,
                                       payer, outcome, actor)
           select account_id, $2, reference, direction, currency, amount, booked_from, booked_to, booked_day, payer,
                  'unexplained', $3
             from bank_lines where id = $1`,
    values: [of, id, actor],
  });
}
