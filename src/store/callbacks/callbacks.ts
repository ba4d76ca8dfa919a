import { groupBy } from "../../core/group-by.ts";
import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";
import { type ClaimedCallback, NEEDED_TO_SEND, PAYMENT_OF_CALLBACK } from "./callback-queue.ts";

export type NewCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly url: string;
  /** Scheme, host and port of it. */
  readonly origin: string;
  /** How long it waits for earlier ones at most; null: until they are delivered or given up. */
  readonly waitsMaxS: number | null;
  /** Without requisites: they are put in when it is sent. */
  readonly body: object;
};

/** Written in the commit of the changes that they report, and due at once. */
export async function insertCallbacks(tx: Transaction, callbacks: readonly NewCallback[]): Promise<void> {
  await tx.run({
    name: "insert_callbacks",
    text: `insert into callbacks (project_id, id, request_id, sequence, url, origin, body, goes_ahead_at, due_at)
           select c.project_id, c.id, c.request_id, c.sequence, c.url, c.origin, c.body,
                  now() + make_interval(secs => c.waits_max_s), now()
             from unnest((select $1::uuid[]), $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::json[],
                         $8::integer[])
               as c (project_id, id, request_id, sequence, url, origin, body, waits_max_s)`,
    values: valuesOf(callbacks),
  });
}

/** Those that this process sends as soon as they are committed, and for how long no other process takes them. */
export type CallbackLease = { readonly ids: ReadonlySet<Id>; readonly leaseS: number };

/**
 * The same, and those of the lease are claimed from the beginning: no other process takes them, and no update is needed to claim
 * them. Answers what sending these needs. Later ones of the same payment wait for earlier ones of this statement, too.
 */
export async function insertLeasedCallbacks(
  tx: Transaction,
  callbacks: readonly NewCallback[],
  { ids, leaseS }: CallbackLease,
): Promise<ClaimedCallback[]> {
  const rows = await tx.run<SendingRow>({
    name: "insert_leased_callbacks",
    text: `with written as (
             insert into callbacks (project_id, id, request_id, sequence, url, origin, body, goes_ahead_at, due_at, lease_until)
             select n.project_id, n.id, n.request_id, n.sequence, n.url, n.origin, n.body,
                    now() + make_interval(secs => n.waits_max_s),
                    case when n.leased then statement_timestamp() + make_interval(secs => $10) else now() end,
                    case when n.leased then statement_timestamp() + make_interval(secs => $10) end
               from unnest((select $1::uuid[]), $2::uuid[], $3::uuid[], $4::integer[], $5::text[], $6::text[], $7::json[],
                           $8::integer[], $9::boolean[])
                 as n (project_id, id, request_id, sequence, url, origin, body, waits_max_s, leased)
             returning project_id, id, request_id, sequence, url, lease_until, created_at)
           select c.id, c.lease_until::text as lease, ${NEEDED_TO_SEND}
             from written c
            cross join lateral ${PAYMENT_OF_CALLBACK} p
            where c.lease_until is not null`,
    values: [...valuesOf(callbacks), callbacks.map(({ id }) => ids.has(id)), leaseS],
  });
  const byId = new Map(callbacks.map((callback) => [callback.id, callback]));
  const byPayment = groupBy(callbacks, ({ requestId }) => requestId);
  return rows.map((row) => {
    const callback = byId.get(row.id) as NewCallback;
    return claimedFrom(row, callback, byPayment.get(callback.requestId) ?? []);
  });
}

type SendingRow = Omit<ClaimedCallback, keyof NewCallback | "goesAhead" | "attemptCount" | "scheduleFrom"> & {
  readonly id: Id;
};

/**
 * A statement does not see the rows that it writes: the earlier ones among them are added here. Every member is named, because a
 * copy of the row with more members than it had takes ten times as long.
 */
function claimedFrom(row: SendingRow, callback: NewCallback, ofPayment: readonly NewCallback[]): ClaimedCallback {
  return {
    projectId: callback.projectId,
    origin: callback.origin,
    id: callback.id,
    requestId: callback.requestId,
    sequence: callback.sequence,
    url: callback.url,
    body: callback.body as ClaimedCallback["body"],
    attemptCount: 0,
    scheduleFrom: 0,
    lease: row.lease,
    goesAhead: false,
    waitsFor: waitedFor(row, callback, ofPayment),
    disabled: row.disabled,
    requisites: row.requisites,
    paymentState: row.paymentState,
    requestedAmount: row.requestedAmount,
    currency: row.currency,
    challenge: row.challenge,
    pageToken: row.pageToken,
    hostedPageToken: row.hostedPageToken,
    choices: row.choices,
  };
}

function waitedFor(
  { waitsFor }: SendingRow,
  { sequence, url }: NewCallback,
  ofPayment: readonly NewCallback[],
): readonly number[] {
  if (ofPayment.length === 1) return waitsFor;
  const earlier = ofPayment.filter((other) => other.url === url && other.sequence < sequence);
  return [...waitsFor, ...earlier.map((each) => each.sequence)];
}

function valuesOf(callbacks: readonly NewCallback[]): readonly unknown[] {
  return [
    callbacks.map((callback) => callback.projectId),
    callbacks.map((callback) => callback.id),
    callbacks.map((callback) => callback.requestId),
    callbacks.map((callback) => callback.sequence),
    callbacks.map((callback) => callback.url),
    callbacks.map((callback) => callback.origin),
    callbacks.map((callback) => JSON.stringify(callback.body)),
    callbacks.map((callback) => callback.waitsMaxS),
  ];
}

/**
 * Wakes the runners that deliver, when this commits; once for a transaction. With a project's name the runners also forget what
 * they think of its endpoints.
 */
export async function notifyCallbacks(tx: Transaction, projectId?: Id): Promise<void> {
  await tx.run({
    name: "notify_callbacks",
    text: "select pg_notify('tillgate_callbacks', $1)",
    values: [projectId ?? ""],
  });
}
