import type { Id } from "../../core/ids.ts";
import type { BreakerState, WindowFigures } from "../../core/provider-window.ts";
import type { Database } from "../db.ts";

/** What one process sees of a provider. */
export type StoredHealth = WindowFigures & {
  readonly provider: string;
  readonly processId: Id;
  readonly state: BreakerState;
  readonly since: Date;
};

export async function saveProviderHealth(db: Pick<Database, "run">, seen: readonly StoredHealth[]): Promise<void> {
  await db.run({
    name: "save_provider_health",
    // A provider that another version of the program knows, or a process whose row was swept, has no line.
    text: `insert into provider_health (provider, process_id, state, since, calls, refused, lost, p50_ms, p95_ms)
           select s.* from unnest($1::text[], $2::uuid[], $3::text[], $4::timestamptz[], $5::integer[], $6::integer[],
                                  $7::integer[], $8::integer[], $9::integer[])
                    as s (provider, process_id, state, since, calls, refused, lost, p50_ms, p95_ms)
             join providers p on p.code = s.provider
             join processes r on r.id = s.process_id
           on conflict (provider, process_id) do update
              set state = excluded.state, since = excluded.since, calls = excluded.calls, refused = excluded.refused,
                  lost = excluded.lost, p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms, updated_at = now()`,
    values: [
      seen.map(({ provider }) => provider),
      seen.map(({ processId }) => processId),
      seen.map(({ state }) => state),
      seen.map(({ since }) => since),
      seen.map(({ calls }) => calls),
      seen.map(({ refused }) => refused),
      seen.map(({ lost }) => lost),
      seen.map(({ p50Ms }) => round(p50Ms)),
      seen.map(({ p95Ms }) => round(p95Ms)),
    ],
  });
}

function round(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}

/** A process without a heartbeat for this long no longer counts. */
const LIVE_WITHIN_S = 6;

/** Of the processes that are alive. */
export function listProviderHealth(db: Pick<Database, "run">): Promise<StoredHealth[]> {
  return db.run<StoredHealth>({
    text: `select h.provider, h.process_id as "processId", h.state, h.since, h.calls, h.refused, h.lost,
                  h.p50_ms as "p50Ms", h.p95_ms as "p95Ms"
             from provider_health h join processes p on p.id = h.process_id
            where p.heartbeat_at > now() - make_interval(secs => $1)
            order by h.provider, h.process_id`,
    values: [LIVE_WITHIN_S],
  });
}

export type OpenBreaker = {
  readonly provider: string;
  /** Of the processes that see the provider, so many have opened it. */
  readonly openCount: number;
  readonly processCount: number;
  readonly oldestS: number;
};

export function listOpenBreakers(db: Pick<Database, "run">): Promise<OpenBreaker[]> {
  return db.run<OpenBreaker>({
    text: `select h.provider, count(*) filter (where h.state <> 'closed')::int as "openCount", count(*)::int as "processCount",
                  extract(epoch from now() - min(h.since) filter (where h.state <> 'closed'))::float8 as "oldestS"
             from provider_health h join processes p on p.id = h.process_id
            where p.heartbeat_at > now() - make_interval(secs => $1)
            group by h.provider having count(*) filter (where h.state <> 'closed') > 0
            order by h.provider`,
    values: [LIVE_WITHIN_S],
  });
}
