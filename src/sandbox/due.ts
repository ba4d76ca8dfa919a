import { approveCharges, expireCharges } from "./cards/due.ts";
import type { SandboxDatabase } from "./database.ts";

const BATCH = 500;

/** Books the money whose time has come. */
async function landMoney(db: SandboxDatabase): Promise<number> {
  const rows = await db.run(
    `with due as (
       select id from sandbox.expected_money where due_at <= now() order by due_at limit $1 for update skip locked
     ), landed as (
       delete from sandbox.expected_money e using due where e.id = due.id
       returning e.reference, e.project_id, e.cause, e.amount
     )
     insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'arrived', l.reference, l.project_id, p.currency, l.amount, l.cause
     from landed l join sandbox.payins p on p.reference = l.reference
     returning id`,
    [BATCH],
  );
  return rows.length;
}

/** Ends the payouts whose time has come, and books those that were paid. */
async function finishPayouts(db: SandboxDatabase): Promise<number> {
  const rows = await db.run(
    `with due as (
       select reference from sandbox.payouts where due_at <= now() order by due_at limit $1 for update skip locked
     ), finished as (
       update sandbox.payouts p set status = p.due_status, due_at = null, due_status = null, updated_at = now()
       from due where p.reference = due.reference
       returning p.reference, p.project_id, p.currency, p.amount, p.status
     ), booked as (
       insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
       select 'left', reference, project_id, currency, amount, 'payout' from finished where status = 'paid'
     )
     select reference from finished`,
    [BATCH],
  );
  return rows.length;
}

/** Everything that is due by now, until nothing is. Answers how much that was. */
export async function settleDue(db: SandboxDatabase): Promise<number> {
  let settled = 0;
  for (;;) {
    const now =
      (await landMoney(db)) + (await finishPayouts(db)) + (await approveCharges(db)) + (await expireCharges(db));
    if (now === 0) return settled;
    settled += now;
  }
}

export async function findNextDueMs(db: SandboxDatabase): Promise<number | undefined> {
  const rows = await db.run<{ ms: number | null }>(
    `select (extract(epoch from least(
         (select min(due_at) from sandbox.expected_money),
         (select min(due_at) from sandbox.payouts where due_at is not null),
         (select min(approves_at) from sandbox.charges where approves_at is not null),
         (select min(expires_at) from sandbox.charges where status in ('challenge', 'redirect'))
       ) - now()) * 1000)::float8 as ms`,
  );
  return rows[0]?.ms ?? undefined;
}

/** Moves one project's time on: whatever waits for it comes that much sooner. */
export async function moveClock(db: SandboxDatabase, projectId: string, seconds: number): Promise<void> {
  await db.run(
    `with moved_payins as (
       update sandbox.payins set expires_at = expires_at - $2 * interval '1 second'
       where project_id = $1 and status = 'active'
     ), moved_transfers as (
       update sandbox.expected_money set due_at = due_at - $2 * interval '1 second' where project_id = $1
     ), moved_payouts as (
       update sandbox.payouts set due_at = due_at - $2 * interval '1 second' where project_id = $1 and due_at is not null
     ), moved_charges as (
       update sandbox.charges set expires_at = expires_at - $2 * interval '1 second',
         approves_at = approves_at - $2 * interval '1 second'
       where project_id = $1 and (status in ('challenge', 'redirect', 'pending') or approves_at is not null)
     )
     update sandbox.notifications set due_at = due_at - $2 * interval '1 second'
     where project_id = $1 and due_at is not null`,
    [projectId, seconds],
  );
}
