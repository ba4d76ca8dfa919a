import type { Currency } from "../core/currency.ts";
import type { Id } from "../core/ids.ts";
import type { Minor } from "../core/money.ts";
import type { PaymentState } from "../core/payment/states.ts";
import type { Database, Transaction } from "./db.ts";

/** Where callbacks of a project go: all URLs of one scheme, host and port. */
export type Endpoint = { readonly projectId: Id; readonly origin: string };

export type WaitingEndpoint = Endpoint & { readonly dueInMs: number };

/**
 * Every endpoint that something waits for, and in how many milliseconds the first of it is due. The index is walked from
 * endpoint to endpoint, so that a long queue of one costs no more than a short one.
 */
export function listWaitingEndpoints(db: Pick<Database, "run">): Promise<WaitingEndpoint[]> {
  return db.run<WaitingEndpoint>({
    name: "list_waiting_endpoints",
    text: `with recursive endpoints as (
             (select project_id, origin from callbacks where due_at is not null order by project_id, origin limit 1)
             union all
             select n.project_id, n.origin from endpoints e
              cross join lateral (
                select c.project_id, c.origin from callbacks c
                 where c.due_at is not null and (c.project_id, c.origin) > (e.project_id, e.origin)
                 order by c.project_id, c.origin limit 1) n)
           select e.project_id as "projectId", e.origin,
                  (extract(epoch from d.due_at - now()) * 1000)::float8 as "dueInMs"
             from endpoints e
            cross join lateral (
              select c.due_at from callbacks c
               where c.project_id = e.project_id and c.origin = e.origin and c.due_at is not null
               order by c.due_at limit 1) d`,
  });
}

/** A callback that this process delivers until its lease ends. */
export type ClaimedCallback = Endpoint & {
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly attemptCount: number;
  /** A final status whose time to wait for earlier ones is over. */
  readonly goesAhead: boolean;
  /** In how many milliseconds it will be. */
  readonly goesAheadInMs: number | null;
  /** How many earlier ones for the same payment and URL are neither delivered nor given up. */
  readonly waitingBefore: number;
  readonly disabled: boolean;
  readonly requisites: Buffer | null;
  readonly paymentState: PaymentState;
  readonly requestedAmount: Minor;
  readonly currency: Currency;
  /** Of a card pay-in, sealed. */
  readonly challenge: Buffer | null;
  readonly pageToken: Buffer | null;
};

export function claimCallbacks(
  db: Pick<Database, "run">,
  wanted: readonly (Endpoint & { readonly countMax: number })[],
  leaseS: number,
): Promise<ClaimedCallback[]> {
  return db.run<ClaimedCallback>({
    name: "claim_callbacks",
    text: `with taken as (
             select t.project_id, t.id
               from unnest($1::uuid[], $2::text[], $3::integer[]) as e (project_id, origin, count_max)
              cross join lateral (
                select c.project_id, c.id from callbacks c
                 where c.project_id = e.project_id and c.origin = e.origin and c.due_at <= now()
                 order by c.due_at
                 limit e.count_max
                   for no key update skip locked) t)
           update callbacks c
              set due_at = now() + make_interval(secs => $4), lease_until = now() + make_interval(secs => $4)
             from taken t, payments p
            where c.project_id = t.project_id and c.id = t.id
              and p.project_id = c.project_id and p.request_id = c.request_id
           returning c.project_id as "projectId", c.origin, c.id, c.request_id as "requestId", c.sequence, c.url, c.body,
                     c.attempt_count as "attemptCount", coalesce(c.goes_ahead_at <= now(), false) as "goesAhead",
                     (extract(epoch from c.goes_ahead_at - now()) * 1000)::float8 as "goesAheadInMs",
                     (select count(*) from callbacks o
                       where o.project_id = c.project_id and o.request_id = c.request_id and o.url = c.url
                         and o.sequence < c.sequence and o.state = 'pending')::integer as "waitingBefore",
                     exists (select from disabled_callback_urls d
                              where d.project_id = c.project_id and d.url_hash = sha256(convert_to(c.url, 'UTF8'))
                                and d.enabled_at is null) as disabled,
                     p.requisites, p.state as "paymentState", p.requested_amount as "requestedAmount", p.currency,
                     (select k.challenge from card_payins k
                       where k.project_id = c.project_id and k.request_id = c.request_id) as challenge,
                     (select k.page_token from card_payins k
                       where k.project_id = c.project_id and k.request_id = c.request_id) as "pageToken"`,
    values: [
      wanted.map((each) => each.projectId),
      wanted.map((each) => each.origin),
      wanted.map((each) => each.countMax),
      leaseS,
    ],
  });
}

/** What became of a callback for now: delivered, dead, or pending and due again later. */
export type CallbackEnd = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly url: string;
  readonly state: "delivered" | "dead" | "pending";
  /** Of a pending one. */
  readonly dueInMs: number | null;
  readonly attemptCount: number;
};

/** Gives leases back. What waited behind a callback that is now delivered or dead is due at once. */
export async function endCallbacks(tx: Transaction, ends: readonly CallbackEnd[]): Promise<void> {
  await tx.run({
    name: "end_callbacks",
    text: `update callbacks c
              set state = e.state, attempt_count = e.attempt_count, lease_until = null,
                  due_at = now() + make_interval(secs => e.due_in_ms / 1000.0),
                  delivered_at = case when e.state = 'delivered' then now() end
             from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::integer[])
               as e (project_id, id, state, due_in_ms, attempt_count)
            where c.project_id = e.project_id and c.id = e.id and c.state = 'pending'`,
    values: [
      ends.map((end) => end.projectId),
      ends.map((end) => end.id),
      ends.map((end) => end.state),
      ends.map((end) => (end.state === "pending" ? end.dueInMs : null)),
      ends.map((end) => end.attemptCount),
    ],
  });
}

/** Those that nobody works on and that waited for their turn behind others. */
export async function wakeFollowers(tx: Transaction, ends: readonly CallbackEnd[]): Promise<void> {
  await tx.run({
    name: "wake_callback_followers",
    text: `update callbacks c set due_at = now()
             from (select distinct on (e.project_id, e.request_id, e.url) o.project_id, o.id
                     from unnest($1::uuid[], $2::uuid[], $3::text[]) as e (project_id, request_id, url)
                     join callbacks o on o.project_id = e.project_id and o.request_id = e.request_id and o.url = e.url
                      and o.state = 'pending'
                    order by e.project_id, e.request_id, e.url, o.sequence) f
            where c.project_id = f.project_id and c.id = f.id and c.due_at > now() and c.attempt_count = 0
              and (c.lease_until is null or c.lease_until < now())`,
    values: [ends.map((end) => end.projectId), ends.map((end) => end.requestId), ends.map((end) => end.url)],
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

/** The same attempt is written once: a process that was slow to say so may have been overtaken. */
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

export async function disableCallbackUrls(
  tx: Transaction,
  urls: readonly { readonly projectId: Id; readonly url: string }[],
): Promise<void> {
  await tx.run({
    text: `insert into disabled_callback_urls (project_id, url_hash, url)
           select distinct u.project_id, sha256(convert_to(u.url, 'UTF8')), u.url
             from unnest($1::uuid[], $2::text[]) as u (project_id, url)
           on conflict do nothing`,
    values: [urls.map(({ projectId }) => projectId), urls.map(({ url }) => url)],
  });
}

/** False when it was not disabled. What waited for it is due at once. */
export async function enableCallbackUrl(tx: Transaction, projectId: Id, url: string, actor: string): Promise<boolean> {
  const rows = await tx.run({
    text: `update disabled_callback_urls set enabled_at = now(), enabled_by = $3
            where project_id = $1 and url_hash = sha256(convert_to($2, 'UTF8')) and enabled_at is null
           returning url`,
    values: [projectId, url, actor],
  });
  await tx.run({
    text: `with woken as (
             update callbacks set due_at = now()
              where project_id = $1 and url = $2 and state = 'pending' and due_at > now()
             returning id)
           select pg_notify('tillgate_callbacks', '') from woken having count(*) > 0`,
    values: [projectId, url],
  });
  return rows.length > 0;
}
