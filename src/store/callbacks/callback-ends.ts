import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";
import type { ClaimedCallback } from "./callback-queue.ts";

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
             from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::float8[], $6::integer[])
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

export type CallbackAttempt = {
  readonly projectId: Id;
  readonly callbackId: Id;
  readonly number: number;
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: Buffer | null;
};

/** The same attempt is written once: the answer to an earlier commit of it may have been lost. */
export async function insertCallbackAttempts(tx: Transaction, attempts: readonly CallbackAttempt[]): Promise<void> {
  await tx.run({
    name: "insert_callback_attempts",
    text: `insert into callback_attempts (project_id, callback_id, number, started_at, latency_ms, status, failure, answer)
           select * from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[],
                                $7::text[], $8::bytea[])
           on conflict do nothing`,
    values: [
      attempts.map((attempt) => attempt.projectId),
      attempts.map((attempt) => attempt.callbackId),
      attempts.map((attempt) => attempt.number),
      attempts.map((attempt) => attempt.startedAt),
      attempts.map((attempt) => attempt.latencyMs),
      attempts.map((attempt) => attempt.status),
      attempts.map((attempt) => attempt.failure),
      attempts.map((attempt) => attempt.answer),
    ],
  });
}

function leaseValues(callbacks: readonly LeasedCallback[]): readonly unknown[] {
  return [
    callbacks.map((each) => each.projectId),
    callbacks.map((each) => each.id),
    callbacks.map((each) => each.lease),
  ];
}
