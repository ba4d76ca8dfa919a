import type { Id } from "../core/ids.ts";
import type { Transaction } from "./db.ts";

/** Brings everything that waits in a project nearer by so many seconds: its payments' timers, and its callbacks. */
export async function movePayments(tx: Transaction, projectId: Id, seconds: number): Promise<number> {
  const rows = await tx.run<{ moved: number }>({
    text: `with moved_callbacks as (
             update callbacks
                set due_at = due_at - make_interval(secs => $2), goes_ahead_at = goes_ahead_at - make_interval(secs => $2)
              where project_id = $1 and due_at is not null),
           moved as (
             update payments
                set due_at = due_at - make_interval(secs => $2), deadline_at = deadline_at - make_interval(secs => $2),
                    expires_at = expires_at - make_interval(secs => $2)
              where project_id = $1 and (due_at is not null or state not in ('success', 'decline'))
             returning request_id)
           select count(*)::int as moved, pg_notify('tillgate_due', '') from moved`,
    values: [projectId, seconds],
  });
  return rows[0]?.moved ?? 0;
}
