import { type CallbackQuestion, findOrigin, type ShownState } from "../../core/callbacks/callback-question.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { idBounds } from "../../core/reports/period.ts";
import type { Database } from "../db.ts";
import { LAST_ATTEMPT_OF_CALLBACK } from "./callback-attempts.ts";
import { URL_IS_DISABLED } from "./read-callbacks.ts";

type Reader = Pick<Database, "run">;

/** A callback as a list of the personal account shows it. */
export type ScopeCallback = {
  readonly projectId: Id;
  readonly id: Id;
  readonly requestId: Id;
  readonly paymentId: string;
  readonly direction: Direction;
  readonly sequence: number;
  readonly status: string;
  readonly subStatus: string | null;
  readonly url: string;
  readonly state: ShownState;
  readonly attemptCount: number;
  /** Of the last attempt; both are null where none was made. */
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
  readonly createdAt: Date;
  readonly dueAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly replayedAt: Date | null;
};

/** Of the table or alias `c`: where it stands as the account names it. */
const SHOWN_STATE = `case
  when c.state <> 'pending' then c.state
  when ${URL_IS_DISABLED} then 'held'
  when c.attempt_count > c.schedule_from then 'failing'
  else 'waiting' end`;

/** In the words of the small indexes where there is one: of what is dead, and of what waits. */
const CONDITIONS: Readonly<Record<ShownState, string>> = {
  dead: "c.state = 'dead'",
  dismissed: "c.state = 'dismissed'",
  delivered: "c.state = 'delivered'",
  failing: `c.due_at is not null and c.attempt_count > c.schedule_from and not ${URL_IS_DISABLED}`,
  waiting: `c.due_at is not null and c.attempt_count = c.schedule_from and not ${URL_IS_DISABLED}`,
  held: `c.due_at is not null and ${URL_IS_DISABLED}`,
};

/** What a question asks for, of the project `j.id`; with the values of `valuesOf` from the second on. */
function conditionOf({ state }: CallbackQuestion): string {
  return `c.project_id = j.id and ${CONDITIONS[state]}
    and ($2::text is null or c.origin = $2)
    and ($3::text is null or starts_with(c.url, $3))
    and ($4::timestamptz is null or c.created_at >= $4)
    and ($5::timestamptz is null or c.created_at < $5)
    and ($6::uuid is null or c.id >= $6)
    and ($7::uuid is null or c.id < $7)`;
}

function valuesOf(projectIds: readonly Id[], question: CallbackQuestion): readonly unknown[] {
  const origin = question.url === undefined ? undefined : findOrigin(question.url);
  const { lowest, highest } = idBounds(question);
  const prefix = origin === undefined ? (question.url ?? null) : null;
  return [projectIds, origin ?? null, prefix, question.from ?? null, question.to ?? null, lowest, highest];
}

/** A page of them, the newest first: each project gives at most a page, along its primary key. */
export function listScopeCallbacks(
  db: Reader,
  projectIds: readonly Id[],
  question: CallbackQuestion,
  page: { readonly after: Id | undefined; readonly limit: number },
): Promise<ScopeCallback[]> {
  return db.run<ScopeCallback>({
    text: `select c.project_id as "projectId", c.id, c.request_id as "requestId", p.payment_id as "paymentId", p.direction,
                  c.sequence, c.body->'status'->>'status' as status, c.body->'status'->>'sub_status' as "subStatus", c.url,
                  ${SHOWN_STATE} as state, c.attempt_count as "attemptCount", last.status as "lastStatus",
                  last.failure as "lastFailure", c.created_at as "createdAt", c.due_at as "dueAt",
                  c.delivered_at as "deliveredAt", c.replayed_at as "replayedAt"
             from (select page.* from unnest($1::uuid[]) as j (id)
                    cross join lateral (
                      select c.* from callbacks c
                       where ${conditionOf(question)} and ($8::uuid is null or c.id < $8)
                       order by c.id desc limit $9) page
                    order by page.id desc limit $9) c
             join payments p on p.project_id = c.project_id and p.request_id = c.request_id
             left join lateral ${LAST_ATTEMPT_OF_CALLBACK} last on true
            order by c.id desc`,
    values: [...valuesOf(projectIds, question), page.after ?? null, page.limit],
  });
}

export type CallbackKey = { readonly projectId: Id; readonly id: Id };

/** The keys of all that match, the newest first, up to a limit. */
export function listMatchingCallbacks(
  db: Reader,
  projectIds: readonly Id[],
  question: CallbackQuestion,
  limit: number,
): Promise<CallbackKey[]> {
  return db.run<CallbackKey>({
    text: `select page."projectId", page.id from unnest($1::uuid[]) as j (id)
            cross join lateral (
              select c.project_id as "projectId", c.id from callbacks c
               where ${conditionOf(question)} order by c.id desc limit $8) page
            order by page.id desc limit $8`,
    values: [...valuesOf(projectIds, question), limit],
  });
}

/** How many match, up to a limit. Along the primary key, as the list: by itself PostgreSQL would read the table for it. */
export async function countMatchingCallbacks(
  db: Reader,
  projectIds: readonly Id[],
  question: CallbackQuestion,
  limit: number,
): Promise<number> {
  const rows = await db.run<{ count: number }>({
    text: `select count(*)::int as count from (
             select from unnest($1::uuid[]) as j (id)
              cross join lateral (select c.id from callbacks c where ${conditionOf(question)} order by c.id desc limit $8) found
              limit $8) counted`,
    values: [...valuesOf(projectIds, question), limit],
  });
  return rows[0]?.count ?? 0;
}

/** Those of these ids that are in these projects, with where they stand. */
export function findScopeCallbacks(
  db: Reader,
  projectIds: readonly Id[],
  ids: readonly Id[],
): Promise<(CallbackKey & { readonly state: ShownState })[]> {
  return db.run({
    text: `select c.project_id as "projectId", c.id, ${SHOWN_STATE} as state
             from callbacks c where c.project_id = any($1::uuid[]) and c.id = any($2::uuid[]) order by c.id`,
    values: [projectIds, ids],
  });
}
