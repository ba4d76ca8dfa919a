import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/**
 * Brings everything that waits in a project nearer by so many seconds: its payments' timers, its callbacks, and the
 * quarantine of requisites that its payers were shown. A callback
 * that is being sent is left to its sender; the worker of a payment knows only the old time, and checks again. The
 * project's name in the notification asks the runners to forget what they think of its endpoints, since to them no time
 * has passed. Rows are locked in the order of their keys, as in every statement that changes several.
 */
export async function movePayments(tx: Transaction, projectId: Id, seconds: number): Promise<number> {
  const rows = await tx.run<{ moved: number }>({
    text: `with moved_callbacks as (
             update callbacks
                set due_at = case when lease_until > now() then due_at else due_at - make_interval(secs => $2) end,
                    goes_ahead_at = goes_ahead_at - make_interval(secs => $2)
              where project_id = $1 and due_at is not null),
           moved_lendings as (
             update lendings set held_until = held_until - make_interval(secs => $2)
              where project_id = $1 and not freed and held_until is not null),
           moved_choices as (
             update page_choices
                set due_at = due_at - make_interval(secs => $2), hinted = true
              where project_id = $1 and due_at is not null),
           waiting as (
             select project_id, request_id from payments
              where project_id = $1 and (due_at is not null or finished_at is null)
              order by project_id, request_id
                for no key update),
           moved as (
             update payments p
                set due_at = due_at - make_interval(secs => $2), deadline_at = deadline_at - make_interval(secs => $2),
                    expires_at = expires_at - make_interval(secs => $2),
                    unknown_since = unknown_since - make_interval(secs => $2), hinted = true
               from waiting w
              where p.project_id = w.project_id and p.request_id = w.request_id
             returning p.request_id)
           select count(*)::int as moved, pg_notify('tillgate_due', ''),
                  pg_notify('tillgate_callbacks', replace($1::uuid::text, '-', ''))
             from moved`,
    values: [projectId, seconds],
  });
  return rows[0]?.moved ?? 0;
}
