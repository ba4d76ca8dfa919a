import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import type { Transaction } from "../db.ts";

/**
 * Workers learn of work and of the end of a pause at the same moment, and a payment that is looked at before the directory
 * was read again goes on waiting for half a minute. So it is due when that has happened.
 */
const DIRECTORY_READ_WITHIN_S = 1;

/**
 * Makes payments that wait for their first provider due, and answers how many. A card is not among them: the process that took it is sending it now, and
 * asking too soon would find that the provider never saw it. A worker that has one of them now checks again. Rows are
 * locked in the order of their keys, as everywhere.
 */
export async function wakeNewPayments(
  tx: Transaction,
  which: { readonly direction?: Direction; readonly projectId?: Id },
): Promise<number> {
  const rows = await tx.run({
    text: `with waiting as (
             select project_id, request_id from payments
              where due_at > now() + make_interval(secs => $3)
                and (state = 'processing:new' or state = 'processing:requisites' and attempt_count = 0)
                and (direction = 'payout' or method <> 'card-ecom')
                and ($1::text is null or direction = $1) and ($2::uuid is null or project_id = $2)
              order by project_id, request_id
                for no key update)
           update payments p set due_at = now() + make_interval(secs => $3), hinted = true
             from waiting w where p.project_id = w.project_id and p.request_id = w.request_id
           returning p.request_id`,
    values: [which.direction ?? null, which.projectId ?? null, DIRECTORY_READ_WITHIN_S],
  });
  return rows.length;
}
