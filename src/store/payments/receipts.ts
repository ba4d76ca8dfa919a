import type { Id } from "../../core/ids.ts";
import { type Minor, ZERO } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";

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

/** What an attempt's receipts are looked for by. */
export type CountedFor = Pick<Receipt, "projectId" | "requestId" | "provider"> & {
  /** The reference under which the provider has the request. */
  readonly reference: string;
};

/** Receipts that were made of a provider's totals, of any attempt: see `core/reported-total.ts`. */
const OF_A_TOTAL = "'^[0-9a-f]{32}:after:[0-9]+$'";
/** A receipt of a charge has the name of its attempt: a payer's earlier choice may have been a card, at the same provider. */
const OF_A_CHARGE = `exists (
  select from attempts a
   where a.project_id = r.project_id and a.request_id = r.request_id and a.reference = r.receipt_reference)`;

/**
 * All that was counted for one attempt of a payment: what its own totals brought, and for the attempt that the payment has now
 * also what an operator recorded as received through this provider.
 */
export async function sumCounted(
  db: Pick<Database, "run">,
  { projectId, requestId, provider, reference }: CountedFor,
): Promise<Minor> {
  const [row] = await db.run<{ counted: Minor }>({
    name: "sum_counted",
    text: `select coalesce(sum(r.amount), 0)::bigint as counted
             from receipts r join payments p on p.project_id = r.project_id and p.request_id = r.request_id
            where r.project_id = $1 and r.request_id = $2 and r.provider = $3
              and (starts_with(r.receipt_reference, $4 || ':after:')
                   or p.reference = $4 and r.receipt_reference !~ ${OF_A_TOTAL} and not ${OF_A_CHARGE})`,
    values: [projectId, requestId, provider, reference],
  });
  return row?.counted ?? ZERO;
}
