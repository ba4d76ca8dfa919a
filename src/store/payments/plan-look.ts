import type { Database } from "../db.ts";
import type { StoredPayment } from "./payments.ts";

/** An acquirer that answers "pending" is asked again so soon, unless it tells us of news before. */
const LOOK_AFTER_S = 1;

/**
 * The process that sent a card has its answer, and the acquirer has not decided: a worker need not wait until the card must have been
 * sent. A payment that went on meanwhile, or that a worker has, stays as it is.
 */
export async function planLookAtCharge(
  db: Pick<Database, "run">,
  { projectId, requestId, reference }: Pick<StoredPayment, "projectId" | "requestId" | "reference">,
): Promise<void> {
  await db.run({
    name: "plan_look_at_charge",
    text: `with planned as (
             update payments set due_at = now() + make_interval(secs => $4)
              where project_id = $1 and request_id = $2 and reference = $3 and state = 'processing:new'
                and lease_until is null and due_at > now() + make_interval(secs => $4)
             returning request_id)
           select pg_notify('tillgate_due', '') from planned`,
    values: [projectId, requestId, reference, LOOK_AFTER_S],
  });
}
