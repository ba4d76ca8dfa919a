import type { Id } from "../core/ids.ts";
import type { Minor } from "../core/money.ts";
import type { Transaction } from "./db.ts";

/** Money that arrived, under the name that the provider gives the transfer. */
export type Receipt = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly provider: string;
  readonly transferReference: string;
  readonly amount: Minor;
  readonly receivedAt: Date;
};

/** False when this transfer was counted before; then nothing was written. */
export async function insertReceipt(tx: Transaction, receipt: Receipt): Promise<boolean> {
  const rows = await tx.run({
    name: "insert_receipt",
    text: `insert into receipts (project_id, provider, transfer_reference, request_id, amount, received_at)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (project_id, provider, transfer_reference) do nothing
           returning request_id`,
    values: [
      receipt.projectId,
      receipt.provider,
      receipt.transferReference,
      receipt.requestId,
      receipt.amount,
      receipt.receivedAt,
    ],
  });
  return rows.length === 1;
}
