import { approveCharges, expireCharges } from "./cards/due.ts";
import type { SandboxDatabase } from "./database.ts";
import { type DueNotification, WRITE_CLAIMED } from "./notifications.ts";

const BATCH = 500;

/** Books the transfers whose time has come, and writes the notifications of them, which the caller sends. */
async function landMoney(db: SandboxDatabase): Promise<Settled> {
  const rows = await db.run<DueNotification | { readonly id: null }>(
    `with due as (
       select id from sandbox.expected_money where due_at <= now() order by due_at limit $1 for update skip locked
     ), landed as (
       delete from sandbox.expected_money e using due where e.id = due.id
       returning e.reference, e.project_id, e.cause, e.amount
     ), booked as (
       insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
       select 'arrived', l.reference, l.project_id, p.currency, l.amount, l.cause
       from landed l join sandbox.payins p on p.reference = l.reference
       returning reference, project_id
     ), claimed as (${WRITE_CLAIMED})
     select c.* from booked b left join claimed c on c.reference = b.reference`,
    [BATCH],
  );
  return { count: rows.length, claimed: rows.filter((row): row is DueNotification => row.id !== null) };
}

/** Ends the payouts whose time has come, and books those that were paid. */
async function finishPayouts(db: SandboxDatabase): Promise<Settled> {
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
  return { count: rows.length, claimed: [] };
}

/** How many there were, and the notifications that the caller has claimed by this. Others wait in their table. */
export type Settled = { readonly count: number; readonly claimed: readonly DueNotification[] };

/** In how many milliseconds the next of each kind is due; null where none waits. */
type DueTimes = { readonly [kind in keyof typeof SETTLERS]: number | null };

const SETTLERS = {
  transfers: landMoney,
  payouts: finishPayouts,
  approvals: async (db: SandboxDatabase): Promise<Settled> => ({ count: await approveCharges(db), claimed: [] }),
  expiries: async (db: SandboxDatabase): Promise<Settled> => ({ count: await expireCharges(db), claimed: [] }),
} as const;

const KINDS = Object.keys(SETTLERS) as (keyof typeof SETTLERS)[];

/** Everything that is due by now, until nothing is. */
export async function settleDue(db: SandboxDatabase): Promise<Settled & { readonly nextMs: number | undefined }> {
  let count = 0;
  const claimed: DueNotification[] = [];
  for (;;) {
    const times = await findDueTimes(db);
    const due = KINDS.filter((kind) => (times[kind] ?? 1) <= 0);
    if (due.length === 0) return { count, claimed, nextMs: soonest(times) };
    for (const kind of due) {
      const settled = await SETTLERS[kind](db);
      count += settled.count;
      claimed.push(...settled.claimed);
    }
  }
}

function soonest(times: DueTimes): number | undefined {
  const known = KINDS.map((kind) => times[kind]).filter((ms) => ms !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}

async function findDueTimes(db: SandboxDatabase): Promise<DueTimes> {
  const rows = await db.run<DueTimes>(
    `select ${KINDS.map((kind) => `(extract(epoch from (${FIRST_DUE[kind]}) - now()) * 1000)::float8 as ${kind}`)}`,
  );
  return rows[0] ?? { transfers: null, payouts: null, approvals: null, expiries: null };
}

const FIRST_DUE: { readonly [kind in keyof typeof SETTLERS]: string } = {
  transfers: "select min(due_at) from sandbox.expected_money",
  payouts: "select min(due_at) from sandbox.payouts where due_at is not null",
  approvals: "select min(approves_at) from sandbox.charges where approves_at is not null",
  expiries: "select min(expires_at) from sandbox.charges where status in ('challenge', 'redirect')",
};

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
