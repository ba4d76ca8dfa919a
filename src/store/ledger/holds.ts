import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { HoldState } from "../../core/ledger/hold-state.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

export type HoldKind = "payout" | "reserve";
export type { HoldState } from "../../core/ledger/hold-state.ts";

export type Hold = {
  readonly projectId: Id;
  readonly id: Id;
  readonly currency: Currency;
  readonly kind: HoldKind;
  readonly reference: string;
  readonly amount: Minor;
  readonly state: HoldState;
};

export type NewHold = Omit<Hold, "state">;

const COLUMNS = `project_id as "projectId", id, currency, kind, reference, amount, state`;

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

export async function lockHold(
  tx: Transaction,
  projectId: Id,
  kind: HoldKind,
  reference: string,
): Promise<Hold | undefined> {
  const rows = await tx.run<Hold>({
    text: `select ${COLUMNS} from holds where project_id = $1 and kind = $2 and reference = $3 for update`,
    values: [projectId, kind, reference],
  });
  return rows[0];
}

export async function closeHold(tx: Transaction, hold: Hold, state: "released" | "captured"): Promise<void> {
  await tx.run({
    text: `update holds set state = $3, closed_at = now() where project_id = $1 and id = $2`,
    values: [hold.projectId, hold.id, state],
  });
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
