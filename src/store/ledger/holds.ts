import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

/** A hold of a payout is inserted with the payout. */
export type NewHold = {
  readonly projectId: Id;
  readonly id: Id;
  readonly currency: Currency;
  readonly kind: "reserve";
  readonly reference: string;
  readonly amount: Minor;
};

/** False when this reference has a hold already; then nothing was written. */
export async function insertHold(tx: Transaction, hold: NewHold): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into holds (project_id, id, currency, kind, reference, amount)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (project_id, kind, reference) do nothing
           returning id`,
    values: [hold.projectId, hold.id, hold.currency, hold.kind, hold.reference, hold.amount],
  });
  return rows.length === 1;
}

/** Ends the holds of payouts, which bear the payouts' ids. Answers how many were open. */
export async function closePayoutHolds(
  tx: Transaction,
  ends: readonly { readonly projectId: Id; readonly requestId: Id; readonly state: "released" | "captured" }[],
): Promise<number> {
  const rows = await tx.run({
    name: "close_payout_holds",
    text: `update holds h set state = e.state, closed_at = now()
             from unnest($1::uuid[], $2::uuid[], $3::text[]) as e (project_id, id, state)
            where h.project_id = e.project_id and h.id = e.id and h.kind = 'payout' and h.state = 'open'
           returning h.id`,
    values: [ends.map((end) => end.projectId), ends.map((end) => end.requestId), ends.map((end) => end.state)],
  });
  return rows.length;
}
