import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";

export type CallbackFigures = {
  /** Due now, and not claimed yet. */
  readonly due: number;
  /** Pending, and not sent because their URL is disabled. */
  readonly held: number;
  readonly dead: number;
  /** How late the oldest of those due is; 0 where none is. */
  readonly oldestDueS: number;
  /** How long ago the oldest of all that may still be delivered was written; 0 where there is none. Held ones aside. */
  readonly oldestPendingS: number;
};

/** Counts what waits, along the index of that, and what is dead, along its own; what was delivered is not touched. */
export async function getCallbackFigures(db: Pick<Database, "run">, projectId?: Id): Promise<CallbackFigures> {
  const rows = await db.run<CallbackFigures>({
    text: `with waiting as (
             select c.due_at, c.created_at, d.url is not null as held
               from callbacks c
               left join disabled_callback_urls d
                 on d.project_id = c.project_id and d.url = c.url and d.enabled_at is null
              where c.due_at is not null and ($1::uuid is null or c.project_id = $1))
           select (count(*) filter (where not held and due_at <= now()))::int as due,
                  (count(*) filter (where held))::int as held,
                  (select count(*)::int from callbacks c
                    where c.state = 'dead' and ($1::uuid is null or c.project_id = $1)) as dead,
                  coalesce(extract(epoch from now() - min(due_at) filter (where not held and due_at <= now())), 0)::float8
                    as "oldestDueS",
                  coalesce(extract(epoch from now() - min(created_at) filter (where not held)), 0)::float8
                    as "oldestPendingS"
             from waiting`,
    values: [projectId ?? null],
  });
  const [figures] = rows;
  if (figures === undefined) throw new Error("a count without a row");
  return figures;
}
