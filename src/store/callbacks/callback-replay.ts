import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";
import { type CallbackFilter, FILTER_CONDITIONS, filterValues, URL_IS_DISABLED } from "./read-callbacks.ts";

export type ReplayableState = "pending" | "delivered" | "dead" | "dismissed";

/** Which callbacks of a project are to be sent again. */
export type ReplayFilter = CallbackFilter & {
  readonly projectId: Id;
  readonly state: ReplayableState;
  /** Only those among these. */
  readonly ids?: readonly Id[] | undefined;
};

const CONDITIONS = `c.project_id = $1 and ${FILTER_CONDITIONS} and c.state = $8 and ($9::uuid[] is null or c.id = any($9))`;
/** What is sent at this moment is let be: it would be sent twice at once, under one number. */
const IS_FREE = "(c.lease_until is null or c.lease_until < now())";

function valuesOf(filter: ReplayFilter): readonly unknown[] {
  return [filter.projectId, ...filterValues(filter), filter.state, filter.ids ?? null];
}

export type ReplayCount = {
  readonly replayable: number;
  readonly underWay: number;
  /** Their URL is disabled: nothing would be sent. */
  readonly disabled: number;
  readonly now: Date;
};

export async function countReplayable(db: Pick<Database, "run">, filter: ReplayFilter): Promise<ReplayCount> {
  const rows = await db.run<ReplayCount>({
    text: `select (count(*) filter (where free and not disabled))::int as replayable,
                  (count(*) filter (where not free and not disabled))::int as "underWay",
                  (count(*) filter (where disabled))::int as disabled, now() as now
             from (select ${IS_FREE} as free, ${URL_IS_DISABLED} as disabled
                     from callbacks c join payments p on p.project_id = c.project_id and p.request_id = c.request_id
                    where ${CONDITIONS}) found`,
    values: valuesOf(filter),
  });
  const [count] = rows;
  if (count === undefined) throw new Error("a count without a row");
  return count;
}

/** One portion of a replay: where it goes on, and when its callbacks are due. */
export type ReplayPortion = {
  /** Behind this one, in the order of ids, so that each is met once however often it is delivered meanwhile. */
  readonly after: Id | undefined;
  readonly countMax: number;
  /** The first is due then, and each of the others this much later than the one before. */
  readonly firstDueAt: Date;
  readonly everyMs: number;
  /** How long a final status waits again for earlier ones. */
  readonly finalWaitsMaxS: number;
  readonly actor: string;
};

/** Makes them pending, with the whole schedule of retries before them. Answers their ids, in their order. */
export async function requeueCallbacks(
  db: Pick<Database, "run">,
  filter: ReplayFilter,
  portion: ReplayPortion,
): Promise<Id[]> {
  const rows = await db.run<{ id: Id }>({
    text: `with chosen as (
             select c.project_id, c.id
               from callbacks c join payments p on p.project_id = c.project_id and p.request_id = c.request_id
              where ${CONDITIONS} and ${IS_FREE} and not ${URL_IS_DISABLED} and ($10::uuid is null or c.id > $10)
              order by c.id limit $11
                for no key update of c skip locked),
           planned as (
             select project_id, id,
                    $12::timestamptz + make_interval(secs => (row_number() over (order by id) - 1) * $13::float8 / 1000)
                      as due_at
               from chosen),
           replayed as (
             update callbacks c
                set state = 'pending', due_at = n.due_at, lease_until = null, delivered_at = null,
                    dismissed_at = null, dismissed_by = null,
                    schedule_from = c.attempt_count, replayed_at = now(), replayed_by = $15,
                    goes_ahead_at = case when c.goes_ahead_at is not null
                                         then n.due_at + make_interval(secs => $14) end
               from planned n
              where c.project_id = n.project_id and c.id = n.id
             returning c.id)
           select id from replayed order by id`,
    values: [
      ...valuesOf(filter),
      portion.after ?? null,
      portion.countMax,
      portion.firstDueAt,
      portion.everyMs,
      portion.finalWaitsMaxS,
      portion.actor,
    ],
  });
  return rows.map(({ id }) => id);
}
