import { openCreatePayments } from "../../app/payments/create-payments.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aNewPayin } from "./new-payments.ts";

/** A payment of the hosted page whose payer's card was declined, and who then chose a transfer. No provider was asked. */
export async function aTriedPage(db: Database, projectId: Id): Promise<PaymentKey> {
  const requestId = newId();
  const page = { projectId, requestId, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600 } as const;
  const created = await openCreatePayments(db).widgetPayin({ ...aNewPayin(projectId, { ...terms, requestId }), page });
  if (!created.ok) throw new Error(created.error);
  await db.run({
    text: `with chosen as (
             update payments set method = 'sbp-p2p', fee_bp = 0, fee_fixed = 0, choice_count = 2
              where project_id = $1 and request_id = $2)
           insert into page_choices (project_id, request_id, number, method, bank, mask, brand, fee_bp, fee_fixed,
                                     attempts_before, ended_at, decline_code)
           values ($1, $2, 1, 'card-ecom', null, '400000******9995', 'visa', 0, 0, 0, now(), 'insufficient_funds'),
                  ($1, $2, 2, 'sbp-p2p', 'sberbank', null, null, 0, 0, 1, null, null)`,
    values: [projectId, requestId],
  });
  return { projectId, requestId };
}
