import type { Database } from "../../store/db.ts";
import { aProject } from "./projects.ts";

/**
 * So many payments that ended long ago, as a service has that is no longer young: PostgreSQL plans for a table of their
 * size, and of two rows for one key another one counts then.
 */
export async function oldPayments(db: Database, count = 5_000): Promise<void> {
  const { projectId } = await aProject(db);
  await db.run({
    text: `insert into payments (project_id, request_id, direction, product, payment_id, body_hash, state, decline_code,
                                 method, currency, requested_amount, amount, fee_bp, fee_fixed, fee, customer_id, request,
                                 created_at, expires_at, deadline_at, finished_at, released_at)
           select $1, gen_random_uuid(), 'payin', 'p2p', 'old-' || n, '\\x00', 'decline', 'cancelled',
                  'card-p2p', 'RUB', 1000, 1000, 250, 0, 25, 'c1', '{}',
                  now() - interval '2 days', now() - interval '2 days', now() - interval '2 days', now() - interval '2 days',
                  now() - interval '2 days'
             from generate_series(1, $2::integer) n`,
    values: [projectId, count],
  });
  await db.run({ text: "analyze payments" });
}
