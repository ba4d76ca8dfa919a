import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

/** What opens the hosted page of a payment: sealed, and the keyed hash that finds it. */
export type PayerPageRow = PaymentKey & { readonly token: Buffer; readonly tokenHash: Buffer };

/** In the transaction that created the payments. Until the payer has chosen, only the end of the lifetime is due. */
export async function insertPayerPages(tx: Transaction, rows: readonly PayerPageRow[]): Promise<void> {
  await tx.run({
    name: "insert_payer_pages",
    text: `with inserted as (
             insert into payer_pages (project_id, request_id, token, token_hash)
             select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[])
             returning project_id, request_id)
           update payments p set due_at = p.expires_at
             from inserted i where p.project_id = i.project_id and p.request_id = i.request_id`,
    values: [
      rows.map((row) => row.projectId),
      rows.map((row) => row.requestId),
      rows.map((row) => row.token),
      rows.map((row) => row.tokenHash),
    ],
  });
}

export async function findPayerPage(
  db: Pick<Database, "run">,
  projectId: Id,
  requestId: Id,
): Promise<PayerPageRow | undefined> {
  const rows = await db.run<PayerPageRow>({
    name: "find_payer_page",
    text: `select project_id as "projectId", request_id as "requestId", token, token_hash as "tokenHash"
             from payer_pages where project_id = $1 and request_id = $2`,
    values: [projectId, requestId],
  });
  return rows[0];
}

export async function findPayerPageOfToken(
  db: Pick<Database, "run">,
  tokenHash: Buffer,
): Promise<PayerPageRow | undefined> {
  const rows = await db.run<PayerPageRow>({
    name: "find_payer_page_of_token",
    text: `select project_id as "projectId", request_id as "requestId", token, token_hash as "tokenHash"
             from payer_pages where token_hash = $1`,
    values: [tokenHash],
  });
  return rows[0];
}
