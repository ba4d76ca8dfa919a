import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

/** What opens the hosted page of a payment: sealed, and the keyed hash that finds it. */
export type PayerPageRow = PaymentKey & { readonly token: Buffer; readonly tokenHash: Buffer };

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
