import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../db.ts";

/** Money that arrived, under the name that the provider gives it. */
export type Receipt = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly provider: string;
  readonly receiptReference: string;
  readonly amount: Minor;
  readonly receivedAt: Date;
};

/** Answers those that were not counted before; of the others nothing is written. */
export async function insertReceipts(tx: Transaction, receipts: readonly Receipt[]): Promise<ReceiptName[]> {
  return tx.run<ReceiptName>({
    name: "insert_receipts",
    text: `insert into receipts (project_id, provider, receipt_reference, request_id, amount, received_at)
           select * from unnest((select $1::uuid[]), $2::text[], $3::text[], $4::uuid[], $5::bigint[], $6::timestamptz[])
           on conflict (project_id, provider, receipt_reference) do nothing
           returning project_id as "projectId", provider, receipt_reference as "receiptReference"`,
    values: [
      receipts.map((receipt) => receipt.projectId),
      receipts.map((receipt) => receipt.provider),
      receipts.map((receipt) => receipt.receiptReference),
      receipts.map((receipt) => receipt.requestId),
      receipts.map((receipt) => receipt.amount),
      receipts.map((receipt) => receipt.receivedAt),
    ],
  });
}

/** What a receipt is known by. */
export type ReceiptName = Pick<Receipt, "projectId" | "provider" | "receiptReference">;

export function listKnownReceipts(tx: Transaction, names: readonly ReceiptName[]): Promise<ReceiptName[]> {
  return tx.run<ReceiptName>({
    name: "list_known_receipts",
    text: `select r.project_id as "projectId", r.provider, r.receipt_reference as "receiptReference"
             from unnest((select $1::uuid[]), $2::text[], $3::text[]) as n (project_id, provider, receipt_reference)
             join receipts r on r.project_id = n.project_id and r.provider = n.provider
                            and r.receipt_reference = n.receipt_reference`,
    values: [
      names.map((name) => name.projectId),
      names.map((name) => name.provider),
      names.map((name) => name.receiptReference),
    ],
  });
}
