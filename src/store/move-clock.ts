import type { Id } from "../core/ids.ts";
import type { Transaction } from "./db.ts";

/**
 * Brings everything that waits in a project nearer by so many seconds: its payments' timers, and its callbacks. A callback
 * that is being sent is left to its sender. The project's name in the notification asks the runners to forget what they
 * think of its endpoints, since to them no time has passed. The caller is alone with the callbacks; payments are locked in
 * the order of their keys, as by everybody else who changes several.
 */
export async function movePayments(tx: Transaction, projectId: Id, seconds: number): Promise<number> {
  const rows = await tx.run<{ moved: number }>({
    text: `with moved_callbacks as (
             update callbacks
                set due_at = case when lease_until > now() then due_at else due_at - make_interval(secs => $2) end,
                    goes_ahead_at = goes_ahead_at - make_interval(secs => $2)
              where project_id = $1 and due_at is not null),
           open as (
             select request_id from payments
              where project_id = $1 and (due_at is not null or state not in ('success', 'decline'))
              order by request_id for no key update),
           moved as (
             update payments p
                set due_at = p.due_at - make_interval(secs => $2), deadline_at = p.deadline_at - make_interval(secs => $2),
                    expires_at = p.expires_at - make_interval(secs => $2)
               from open o
              where p.project_id = $1 and p.request_id = o.request_id
             returning p.request_id)
           select count(*)::int as moved, pg_notify('tillgate_due', ''),
                  pg_notify('tillgate_callbacks', replace($1::uuid::text, '-', ''))
             from moved`,
    values: [projectId, seconds],
  });
  return rows[0]?.moved ?? 0;
}
