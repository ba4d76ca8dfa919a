import type { SandboxDatabase } from "./database.ts";

/** A change that the other side is to be notified of. */
export type DueNotification = {
  readonly id: string;
  readonly project_id: string;
  readonly direction: "payin" | "payout" | "charge";
  readonly reference: string;
  readonly event: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly held_back: boolean;
  /** Whether a fault may be waiting for it; looked up only then. */
  readonly faulty: boolean;
};

const BATCH = 500;
/** Longer than an attempt takes; a process that dies leaves its notifications to a later process. */
const LEASE_S = 15;
/** How long the provider waits before it tries again; after the last it gives up. */
const NOTIFICATION_DELAYS_S: readonly number[] = [1, 5, 30, 120, 600];
/** Long enough for the next notification of the request to overtake. */
const HELD_BACK_S = 3;

/** Of a row of the table, named n. */
const DUE_NOTIFICATION = `n.id, n.project_id, n.direction, n.reference, n.event, sandbox.iso(n.created_at) as created_at,
  n.attempts, n.held_back,
  exists (select from sandbox.faults f where f.call = 'notification'
    and (f.remaining is null or f.remaining > 0)
    and (f.reference = n.reference or f.project_id = n.project_id)) as faulty`;

export async function claimNotifications(db: SandboxDatabase): Promise<DueNotification[]> {
  return db.run<DueNotification>(
    `with due as (
       select id from sandbox.notifications where due_at <= now() order by due_at, id limit $1 for update skip locked
     )
     update sandbox.notifications n
     set due_at = now() + $2 * interval '1 second', attempts = attempts + 1
     from due where n.id = due.id
     returning ${DUE_NOTIFICATION}`,
    [BATCH, LEASE_S],
  );
}

/**
 * Writes a notification of each row of \`booked\`, as claimed by the process that writes it: it sends them at once, and the
 * rows are there for a later process if it dies. Nothing where there is no one to notify.
 */
export const WRITE_CLAIMED = `
  insert into sandbox.notifications as n (project_id, direction, reference, event, attempts, due_at)
  select project_id, 'payin', reference, 'transfer', 1, now() + ${LEASE_S} * interval '1 second' from booked
  where exists (select from sandbox.settings where name = 'notify_url')
  returning ${DUE_NOTIFICATION}`;

export async function findNextNotificationMs(db: SandboxDatabase): Promise<number | undefined> {
  const rows = await db.run<{ ms: number | null }>(
    `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
     from sandbox.notifications where due_at is not null`,
  );
  return rows[0]?.ms ?? undefined;
}

export async function forgetNotifications(db: SandboxDatabase, ids: readonly string[]): Promise<void> {
  await db.run("delete from sandbox.notifications where id = any($1::bigint[])", [ids]);
}

/** Tries again later, or gives up when the delays are used up. */
export async function postponeNotifications(db: SandboxDatabase, ids: readonly string[]): Promise<void> {
  await db.run(
    `update sandbox.notifications set due_at = now() + ($2::integer[])[attempts] * interval '1 second'
     where id = any($1::bigint[])`,
    [ids, NOTIFICATION_DELAYS_S],
  );
}

export async function holdBackNotification(db: SandboxDatabase, id: string): Promise<void> {
  await db.run(
    `update sandbox.notifications
     set due_at = now() + $2 * interval '1 second', attempts = attempts - 1, held_back = true where id = $1`,
    [id, HELD_BACK_S],
  );
}
