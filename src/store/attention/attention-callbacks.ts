import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Database } from "../db.ts";

/** Callbacks that people should look at, by project. What was delivered, which is nearly everything, is not read. */
type Reader = Pick<Database, "run">;

export type CallbackPile = {
  readonly projectId: Id;
  readonly book: Book;
  readonly count: number;
  readonly oldestS: number;
};

/** Those that were given up. Only the index of dead ones is read; real money first, and the oldest of it. */
export function countDeadCallbacks(db: Reader): Promise<CallbackPile[]> {
  return db.run<CallbackPile>({
    text: `select d.project_id as "projectId", j.book, d.count, extract(epoch from now() - f.created_at)::float8 as "oldestS"
             from (select project_id, count(*)::int as count from callbacks where state = 'dead' group by project_id) d
             join projects j on j.id = d.project_id
            cross join lateral (
              select c.created_at from callbacks c
               where c.project_id = d.project_id and c.state = 'dead' order by c.id limit 1) f
            order by j.book, "oldestS" desc, d.project_id`,
  });
}

export type HeldPile = CallbackPile & {
  /** How many URLs of the project they wait for. */
  readonly urlCount: number;
};

/** Those whose URL answered 410 Gone. A disabled URL that no callback waits for needs nothing. */
export function countHeldCallbacks(db: Reader): Promise<HeldPile[]> {
  return db.run<HeldPile>({
    text: `select d.project_id as "projectId", j.book, count(*)::int as count, count(distinct d.url_hash)::int as "urlCount",
                  extract(epoch from now() - min(d.disabled_at))::float8 as "oldestS"
             from disabled_callback_urls d
             join projects j on j.id = d.project_id
             join callbacks c on c.project_id = d.project_id and c.url = d.url and c.due_at is not null
            where d.enabled_at is null
            group by d.project_id, j.book
            order by j.book, "oldestS" desc, d.project_id`,
  });
}

export type LateEndpoints = {
  readonly projectId: Id;
  readonly book: Book;
  readonly endpointCount: number;
  readonly oldestS: number;
};

/**
 * Endpoints whose first callback has been due for longer than this: no worker runs, or the receiver keeps the breaker
 * open. The index is walked from endpoint to endpoint, so that a long queue of one costs no more than a short one.
 */
export function listLateEndpoints(db: Reader, olderThanS: number): Promise<LateEndpoints[]> {
  return db.run<LateEndpoints>({
    text: `with recursive endpoints as (
             (select project_id, origin, due_at from callbacks where due_at is not null
               order by project_id, origin, due_at limit 1)
             union all
             select n.project_id, n.origin, n.due_at from endpoints e
              cross join lateral (
                select c.project_id, c.origin, c.due_at from callbacks c
                 where c.due_at is not null and (c.project_id, c.origin) > (e.project_id, e.origin)
                 order by c.project_id, c.origin, c.due_at limit 1) n)
           select e.project_id as "projectId", j.book, count(*)::int as "endpointCount",
                  extract(epoch from now() - min(e.due_at))::float8 as "oldestS"
             from endpoints e join projects j on j.id = e.project_id
            where e.due_at < now() - make_interval(secs => $1)
            group by e.project_id, j.book
            order by j.book, "oldestS" desc, e.project_id`,
    values: [olderThanS],
  });
}
