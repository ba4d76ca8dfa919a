import type { CallbackState } from "../../core/callbacks/states.ts";
import { type Id, lowestIdAt } from "../../core/ids.ts";
import type { Database } from "../db.ts";
import { LAST_ATTEMPT_OF_CALLBACK } from "./callback-attempts.ts";

export { CALLBACK_STATES, type CallbackState } from "../../core/callbacks/states.ts";

export type CallbackFilter = {
  readonly projectId?: Id | undefined;
  readonly url?: string | undefined;
  readonly requestId?: Id | undefined;
  readonly paymentId?: string | undefined;
  /** Written then or later, and before then. */
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

export type ShownCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly paymentId: string;
  readonly sequence: number;
  /** What it reports about the payment. */
  readonly status: string;
  readonly subStatus: string | null;
  readonly url: string;
  readonly state: CallbackState;
  readonly attemptCount: number;
  /** Of the last attempt; null where none was made, or no answer came. */
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly dueAt: Date | null;
  /** The same to the microsecond: a place in the queue. */
  readonly dueMicros: bigint | null;
  /** A process is sending it now. */
  readonly underWay: boolean;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly replayedAt: Date | null;
  readonly replayedBy: string | null;
  readonly now: Date;
};

/** Of the table or alias `c`, as in everything below. */
export const URL_IS_DISABLED = `exists (select from disabled_callback_urls d
  where d.project_id = c.project_id and d.url_hash = sha256(convert_to(c.url, 'UTF8')) and d.enabled_at is null)`;

const DUE_MICROS = "(extract(epoch from c.due_at) * 1000000)::bigint";

const COLUMNS = `c.project_id as "projectId", c.id, c.request_id as "requestId", p.payment_id as "paymentId", c.sequence,
  c.body->'status'->>'status' as status, c.body->'status'->>'sub_status' as "subStatus", c.url,
  case when c.state = 'pending' and ${URL_IS_DISABLED} then 'held' else c.state end as state,
  c.attempt_count as "attemptCount", c.due_at as "dueAt", ${DUE_MICROS} as "dueMicros",
  coalesce(c.lease_until > now(), false) as "underWay", c.created_at as "createdAt", c.delivered_at as "deliveredAt",
  c.replayed_at as "replayedAt", c.replayed_by as "replayedBy", now() as now,
  last.status as "lastStatus", last.failure as "lastFailure"`;

const FROM = `callbacks c join payments p on p.project_id = c.project_id and p.request_id = c.request_id
  left join lateral ${LAST_ATTEMPT_OF_CALLBACK} last on true`;

/** With the values of `filterValues` as the second to the seventh; the first is the project. */
export const FILTER_CONDITIONS = `($2::text is null or c.url = $2)
  and ($3::uuid is null or c.request_id = $3)
  and ($4::text is null or (p.payment_id = $4 and p.direction in ('payin', 'payout')))
  and ($5::timestamptz is null or c.created_at >= $5)
  and ($6::timestamptz is null or c.created_at < $6)
  and ($7::uuid is null or c.id >= $7)`;

/** Ids bear the time of the process that made them: so much may it be behind the database's. */
const CLOCKS_APART_MAX_MS = 600_000;

export function filterValues({ url, requestId, paymentId, since, until }: CallbackFilter): readonly unknown[] {
  const lowest = since === undefined ? null : lowestIdAt(since.getTime() - CLOCKS_APART_MAX_MS);
  return [url ?? null, requestId ?? null, paymentId ?? null, since ?? null, until ?? null, lowest];
}

const SETTLED_CONDITIONS = {
  any: "true",
  delivered: "c.state = 'delivered'",
  dead: "c.state = 'dead'",
  dismissed: "c.state = 'dismissed'",
} as const;
const QUEUED_CONDITIONS = { pending: `not ${URL_IS_DISABLED}`, held: URL_IS_DISABLED } as const;

/**
 * The newest first. Our ids grow with time, so each project is read along its primary key and gives at most a page: no
 * index is needed that every callback would have to pay for.
 */
export function listCallbacks(
  db: Pick<Database, "run">,
  state: keyof typeof SETTLED_CONDITIONS,
  filter: CallbackFilter,
  page: { readonly after: Id | undefined; readonly limit: number },
): Promise<ShownCallback[]> {
  return db.run<ShownCallback>({
    text: `select page.* from projects j
            cross join lateral (
              select ${COLUMNS} from ${FROM}
               where c.project_id = j.id and ${SETTLED_CONDITIONS[state]} and ${FILTER_CONDITIONS}
                 and ($8::uuid is null or c.id < $8)
               order by c.id desc limit $9) page
            where $1::uuid is null or j.id = $1
            order by page.id desc limit $9`,
    values: [filter.projectId ?? null, ...filterValues(filter), page.after ?? null, page.limit],
  });
}

export type QueuePosition = { readonly dueMicros: bigint; readonly id: Id };

/** What waits, in the order in which it is due. */
export function listQueuedCallbacks(
  db: Pick<Database, "run">,
  state: keyof typeof QUEUED_CONDITIONS,
  filter: CallbackFilter,
  page: { readonly after: QueuePosition | undefined; readonly limit: number },
): Promise<ShownCallback[]> {
  return db.run<ShownCallback>({
    text: `select ${COLUMNS} from ${FROM}
            where c.due_at is not null and ($1::uuid is null or c.project_id = $1) and ${QUEUED_CONDITIONS[state]}
              and ${FILTER_CONDITIONS}
              and ($8::bigint is null or (${DUE_MICROS}, c.id) > ($8, $9::uuid))
            order by c.due_at, c.id limit $10`,
    values: [
      filter.projectId ?? null,
      ...filterValues(filter),
      page.after?.dueMicros ?? null,
      page.after?.id ?? null,
      page.limit,
    ],
  });
}

/** By its id alone, which is what an operator has: one look into the primary key for each project. */
export async function findShownCallback(
  db: Pick<Database, "run">,
  id: Id,
): Promise<(ShownCallback & { readonly body: object }) | undefined> {
  const rows = await db.run<ShownCallback & { body: object }>({
    text: `select found.* from projects j
            cross join lateral (
              select ${COLUMNS}, c.body from ${FROM} where c.project_id = j.id and c.id = $1 offset 0) found`,
    values: [id],
  });
  return rows[0];
}
