import { type Id, lowestIdAt } from "../../core/ids.ts";
import { DAY_MS } from "../../core/reports/period.ts";
import type { Database } from "../db.ts";

type Reader = Pick<Database, "run">;

/** What callbacks to one endpoint, scheme, host and port, came to; of those that were written since a moment. */
export type EndpointPast = {
  readonly projectId: Id;
  readonly origin: string;
  readonly written: number;
  readonly delivered: number;
  readonly attempts: number;
  readonly failedAttempts: number;
  /** Of the attempts that were answered; null where none was. */
  readonly averageMs: number | null;
  readonly p95Ms: number | null;
  /** The status or the failure of the last attempt that did not deliver. */
  readonly lastError: string | null;
  readonly lastErrorAt: Date | null;
};

/** Ids only say where in the primary key to look: so much may a process's clock be behind the database's. */
const CLOCKS_APART_MAX_MS = DAY_MS;

/** A first attempt that delivered is in the callback's own row; every other is a row of callback_attempts. */
export function listEndpointPasts(db: Reader, projectIds: readonly Id[], since: Date): Promise<EndpointPast[]> {
  return db.run<EndpointPast>({
    text: `with written as materialized (
             select c.project_id, c.origin, c.id, c.state, c.first_started_at, c.first_latency_ms, c.first_status
               from callbacks c
              where c.project_id = any($1::uuid[]) and c.id >= $3 and c.created_at >= $2),
           made as (
             select w.project_id, w.origin, w.first_started_at as started_at, w.first_latency_ms as latency_ms,
                    w.first_status as status, null as failure
               from written w where w.first_status is not null
             union all
             select w.project_id, w.origin, a.started_at, a.latency_ms, a.status, a.failure
               from callback_attempts a
               join written w on w.project_id = a.project_id and w.id = a.callback_id
              where a.project_id = any($1::uuid[]) and a.callback_id >= $3
                and not (a.number = 1 and w.first_status is not null)),
           tried as (
             select project_id, origin, count(*)::int as attempts,
                    (count(*) filter (where status is null or status not between 200 and 299))::int as failed,
                    (avg(latency_ms) filter (where status is not null))::int as average_ms,
                    percentile_disc(0.95) within group (order by latency_ms) filter (where status is not null) as p95_ms,
                    (array_agg(coalesce(failure, status::text) order by started_at desc)
                      filter (where status is null or status not between 200 and 299))[1] as last_error,
                    max(started_at) filter (where status is null or status not between 200 and 299) as last_error_at
               from made group by project_id, origin),
           counted as (
             select project_id, origin, count(*)::int as written,
                    (count(*) filter (where state = 'delivered'))::int as delivered
               from written group by project_id, origin)
           select c.project_id as "projectId", c.origin, c.written, c.delivered, coalesce(t.attempts, 0) as attempts,
                  coalesce(t.failed, 0) as "failedAttempts", t.average_ms as "averageMs", t.p95_ms as "p95Ms",
                  t.last_error as "lastError", t.last_error_at as "lastErrorAt"
             from counted c left join tried t on t.project_id = c.project_id and t.origin = c.origin`,
    values: [projectIds, since, lowestIdAt(since.getTime() - CLOCKS_APART_MAX_MS)],
  });
}

/** What stands undelivered at an endpoint now, however old it is. */
export type EndpointPresent = {
  readonly projectId: Id;
  readonly origin: string;
  readonly waiting: number;
  readonly failing: number;
  readonly held: number;
  readonly dead: number;
};

/** Counts along the index of what waits, and along that of what is dead; what was delivered is not touched. */
export function listEndpointPresents(db: Reader, projectIds: readonly Id[]): Promise<EndpointPresent[]> {
  return db.run<EndpointPresent>({
    text: `with undelivered as (
             select c.project_id, c.origin,
                    case when d.url is not null then 'held'
                         when c.attempt_count > c.schedule_from then 'failing' else 'waiting' end as stands
               from callbacks c
               left join disabled_callback_urls d
                 on d.project_id = c.project_id and d.url = c.url and d.enabled_at is null
              where c.due_at is not null and c.project_id = any($1::uuid[])
             union all
             select c.project_id, c.origin, 'dead' from callbacks c
              where c.state = 'dead' and c.project_id = any($1::uuid[]))
           select project_id as "projectId", origin, (count(*) filter (where stands = 'waiting'))::int as waiting,
                  (count(*) filter (where stands = 'failing'))::int as failing,
                  (count(*) filter (where stands = 'held'))::int as held,
                  (count(*) filter (where stands = 'dead'))::int as dead
             from undelivered group by project_id, origin`,
    values: [projectIds],
  });
}
