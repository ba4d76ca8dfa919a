import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";
import type { CallbackAttempt } from "./callback-attempts.ts";
import type { ClaimedCallback } from "./callback-queue.ts";
import { CALLBACK_WRITERS } from "./callback-writers.ts";

/** A callback that was claimed. Its lease proves that no other process has taken it since; otherwise nothing is changed. */
export type LeasedCallback = Pick<
  ClaimedCallback,
  "projectId" | "id" | "requestId" | "sequence" | "url" | "lease" | "attemptCount"
>;

/** The result of a callback for now: delivered, dead, or pending and due again later. */
export type CallbackEnd = LeasedCallback & {
  readonly state: "delivered" | "dead" | "pending";
  /** Of a pending one. */
  readonly dueInMs: number | null;
};

/** Gives leases back. Answers the ids of those that were still ours. */
export async function endCallbacks(tx: Transaction, ends: readonly CallbackEnd[]): Promise<ReadonlySet<Id>> {
  const rows = await tx.run<{ id: Id }>({
    name: "end_callbacks",
    text: `update callbacks c
              set state = e.state, attempt_count = e.attempt_count, lease_until = null,
                  due_at = now() + make_interval(secs => e.due_in_ms / 1000.0),
                  delivered_at = case when e.state = 'delivered' then now() end
             from unnest((select $1::uuid[]), $2::uuid[], $3::timestamptz[], $4::text[], $5::float8[], $6::integer[])
               as e (project_id, id, lease_until, state, due_in_ms, attempt_count)
            where c.project_id = e.project_id and c.id = e.id and c.lease_until = e.lease_until
           returning c.id`,
    values: [
      ...leaseValues(ends),
      ends.map((end) => end.state),
      ends.map((end) => (end.state === "pending" ? end.dueInMs : null)),
      ends.map((end) => end.attemptCount),
    ],
  });
  return new Set(rows.map(({ id }) => id));
}

/** An earlier one is under way in another process: its end wakes this one, and this is the safety net. */
const TURN_LOOK_S = 1;

/**
 * Gives back those whose turn it is not. They are due together with the one that they wait for, so that they are taken
 * with it, and a final one no later than when it goes ahead.
 */
export async function queueBehind(tx: Transaction, callbacks: readonly LeasedCallback[]): Promise<void> {
  await tx.run({
    name: "queue_callbacks_behind",
    text: `update callbacks c
              set lease_until = null,
                  due_at = least(c.goes_ahead_at, coalesce(
                    (select case when h.lease_until > now() then now() + make_interval(secs => $4)
                                 else greatest(h.due_at, now()) end
                       from callbacks h
                      where h.project_id = c.project_id and h.request_id = c.request_id and h.url = c.url
                        and h.sequence < c.sequence and h.state = 'pending'
                      order by h.sequence limit 1), now()))
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as e (project_id, id, lease_until)
            where c.project_id = e.project_id and c.id = e.id and c.lease_until = e.lease_until`,
    values: [...leaseValues(callbacks), TURN_LOOK_S],
  });
}

/**
 * Those that wait behind callbacks that are now delivered or dead are due at once, unless a process works on them or they
 * have begun retries of their own. Answers how many.
 */
export async function wakeFollowers(tx: Transaction, settled: readonly LeasedCallback[]): Promise<number> {
  const rows = await tx.run({
    name: "wake_callback_followers",
    text: `update callbacks c set due_at = now()
             from (select distinct u.project_id, u.request_id, u.url
                     from unnest($1::uuid[], $2::uuid[], $3::text[]) as u (project_id, request_id, url)) e
            where c.project_id = e.project_id and c.request_id = e.request_id and c.url = e.url
              and c.state = 'pending' and c.due_at > now() and c.attempt_count = c.schedule_from
              and (c.lease_until is null or c.lease_until <= now())
           returning c.id`,
    values: [
      settled.map((each) => each.projectId),
      settled.map((each) => each.requestId),
      settled.map((each) => each.url),
    ],
  });
  return rows.length;
}

/** Nothing is sent to a URL that is gone. Enabling it wakes what waits; this is the safety net. */
const DISABLED_LOOK_S = 3_600;

/** Gives back those whose URL is gone, or was until a moment ago: then they are due at once. */
export async function holdBack(tx: Transaction, callbacks: readonly LeasedCallback[]): Promise<void> {
  await tx.run({
    name: "hold_callbacks_back",
    text: `update callbacks c
              set lease_until = null,
                  due_at = now() + make_interval(secs => case when exists (
                    select from disabled_callback_urls d
                     where d.project_id = c.project_id and d.url_hash = sha256(convert_to(c.url, 'UTF8'))
                       and d.enabled_at is null) then $4 else 0 end)
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as e (project_id, id, lease_until)
            where c.project_id = e.project_id and c.id = e.id and c.lease_until = e.lease_until`,
    values: [...leaseValues(callbacks), DISABLED_LOOK_S],
  });
}

/** A callback that its first attempt delivered. */
export type FirstDelivery = { readonly callback: LeasedCallback; readonly attempt: CallbackAttempt };

export type Delivered = {
  /** The ids of those that were still ours. */
  readonly ours: ReadonlySet<Id>;
  /** How many that waited behind them are due now. */
  readonly woken: number;
};

/** Writes them with their attempts, in one statement that needs no transaction around it. */
export async function deliverCallbacks(
  db: Pick<Database, "run">,
  deliveries: readonly FirstDelivery[],
  lockWaitMs: number,
): Promise<Delivered> {
  const rows = await db.run<{ id: Id; isFollower: boolean }>({
    name: "deliver_callbacks",
    text: `select callback_id as id, is_follower as "isFollower"
             from deliver_callbacks($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      CALLBACK_WRITERS,
      String(lockWaitMs),
      ...leaseValues(deliveries.map(({ callback }) => callback)),
      deliveries.map(({ attempt }) => attempt.startedAt),
      deliveries.map(({ attempt }) => attempt.latencyMs),
      deliveries.map(({ attempt }) => attempt.status),
      deliveries.map(({ attempt }) => attempt.answer),
    ],
  });
  const ours = rows.filter(({ isFollower }) => !isFollower).map(({ id }) => id);
  return { ours: new Set(ours), woken: rows.length - ours.length };
}

function leaseValues(callbacks: readonly LeasedCallback[]): readonly unknown[] {
  return [
    callbacks.map((each) => each.projectId),
    callbacks.map((each) => each.id),
    callbacks.map((each) => each.lease),
  ];
}
