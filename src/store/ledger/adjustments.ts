import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

export type AdjustmentDirection = "credit" | "debit";

/** Manual adjustments of a balance, with the operator and the reason. Never deleted. */
export type Adjustment = {
  readonly projectId: Id;
  readonly id: Id;
  readonly currency: Currency;
  readonly reference: string;
  readonly direction: AdjustmentDirection;
  readonly amount: Minor;
  readonly reason: string;
  readonly actor: string;
};

/** False when the reference is taken for this project and currency; then nothing was written. */
export async function insertAdjustment(tx: Transaction, adjustment: Adjustment): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into adjustments (project_id, id, currency, reference, direction, amount, reason, actor)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict (project_id, currency, reference) do nothing
           returning id`,
    values: [
      adjustment.projectId,
      adjustment.id,
      adjustment.currency,
      adjustment.reference,
      adjustment.direction,
      adjustment.amount,
      adjustment.reason,
      adjustment.actor,
    ],
  });
  return rows.length === 1;
}

export async function findAdjustment(
  tx: Transaction,
  projectId: Id,
  currency: Currency,
  reference: string,
): Promise<Adjustment | undefined> {
  const rows = await tx.run<Adjustment>({
    text: `select project_id as "projectId", id, currency, reference, direction, amount, reason, actor
             from adjustments where project_id = $1 and currency = $2 and reference = $3`,
    values: [projectId, currency, reference],
  });
  return rows[0];
}
