import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Transaction } from "../../store/db.ts";

export type UnclaimedPayin = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly paymentId: string;
  readonly currency: Currency;
  readonly amount: Minor;
  readonly actor: string;
};

const UNCLAIMED = "unclaimed";

/**
 * A bank line that no pay-in waits for stands under a pay-in of the house's own that has ended before it began. So it is
 * counted, shown, assigned and returned by the same means as any other money in suspense.
 */
export async function insertUnclaimedPayins(tx: Transaction, payins: readonly UnclaimedPayin[]): Promise<void> {
  await tx.run({
    text: `with input as (
             select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::text[])
               as i (project_id, request_id, payment_id, currency, amount, actor)),
           created as (
             insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code,
                                   currency, requested_amount, amount, fee, customer_id, request, finished_at)
             select i.project_id, i.request_id, 'payin', 'p2p', i.payment_id, '\\x', 'decline', $7, i.currency, i.amount,
                    i.amount, 0, $7, '{}', now()
               from input i)
           insert into payment_history (project_id, request_id, number, to_state, event, actor)
           select i.project_id, i.request_id, 1, 'decline', 'created', i.actor from input i`,
    values: [
      payins.map((payin) => payin.projectId),
      payins.map((payin) => payin.requestId),
      payins.map((payin) => payin.paymentId),
      payins.map((payin) => payin.currency),
      payins.map((payin) => payin.amount),
      payins.map((payin) => payin.actor),
      UNCLAIMED,
    ],
  });
}
