import type { Id } from "../../core/ids.ts";
import type { Database } from "../db.ts";

export type ProcessRole = "api" | "worker" | "all";

/** A process without a heartbeat for this long no longer counts. */
const LIVE_WITHIN_S = 6;
const FORGOTTEN_AFTER_S = 3_600;

/** Renews this process's row and counts the live ones that serve merchants, itself included. */
export async function heartbeat(db: Pick<Database, "run">, id: Id, role: ProcessRole): Promise<number> {
  await db.run({
    name: "heartbeat",
    text: `insert into processes (id, role) values ($1, $2)
           on conflict (id) do update set heartbeat_at = now()`,
    values: [id, role],
  });
  const [row] = await db.run<{ live: number }>({
    name: "count_processes",
    text: `select count(*)::int as live from processes
            where role in ('api', 'all') and heartbeat_at > now() - make_interval(secs => $1)`,
    values: [LIVE_WITHIN_S],
  });
  return row?.live ?? 0;
}

/** Says goodbye, so that the others take over this one's share at once; and sweeps rows of the long dead. */
export async function removeProcess(db: Pick<Database, "run">, id: Id): Promise<void> {
  await db.run({
    text: "delete from processes where id = $1 or heartbeat_at < now() - make_interval(secs => $2)",
    values: [id, FORGOTTEN_AFTER_S],
  });
}
