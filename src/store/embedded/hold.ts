import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { type Connected, connect, disconnect, explainRefusal, type Unavailable } from "./connect.ts";
import { parsePidFile } from "./pid-file.ts";
import type { Place } from "./place.ts";
import { isAlive } from "./processes.ts";
import { POLL_MS, stopServer } from "./server.ts";

/**
 * Who uses the server is known by advisory locks in its `postgres` database, each held by one connection of its process, so
 * that a process that dies lets go by dying. All processes share the lock `users`; the service alone has the lock `service`.
 */
export type Claim = "service" | "visitor";

/** The first half of the two-part key: "till" in ASCII. */
const LOCK_CLASS = 0x74696c6c;
const LOCK_USERS = 1;
const LOCK_SERVICE = 2;

/** A backend notices within milliseconds that its client has died, so a holder that is no more is waited for. */
const DEAD_HOLDER_LIMIT_MS = 5_000;
const LIVE_HOLDER_LIMIT_MS = 250;
const REJOIN_DELAYS_MS = [20, 100, 500, 1_000];

export type Join = ({ readonly kind: "joined" } & Connected) | Unavailable;

export async function join(place: Place, claim: Claim): Promise<Join> {
  const connection = await connect(place, `tillgate ${claim} ${process.pid}`);
  if (connection.kind !== "connected") return connection;
  const { client } = connection;
  try {
    // Refused only while a process has the lock exclusively, which is to stop the server.
    if (!(await ask(client, "select pg_try_advisory_lock_shared($1, $2) as yes", LOCK_USERS))) {
      await disconnect(client);
      return { kind: "busy" };
    }
    const refusal = claim === "service" ? await claimService(client, place) : undefined;
    if (refusal === undefined) return { ...connection, kind: "joined" };
    await letGo(place, client);
    return { kind: "refused", sentence: refusal };
  } catch (error) {
    await disconnect(client);
    return explainRefusal(error);
  }
}

async function ask(client: Client, sql: string, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>(sql, [LOCK_CLASS, lock]);
  return rows[0]?.yes === true;
}

/** A sentence when another service is in the way. */
async function claimService(client: Client, { stateDir }: Place): Promise<string | undefined> {
  const began = performance.now();
  for (;;) {
    if (await ask(client, "select pg_try_advisory_lock($1, $2) as yes", LOCK_SERVICE)) return undefined;
    const pid = await findServicePid(client);
    const limitMs = pid !== undefined && !isAlive(pid) ? DEAD_HOLDER_LIMIT_MS : LIVE_HOLDER_LIMIT_MS;
    if (performance.now() - began > limitMs) {
      const who = pid === undefined ? "" : ` (process ${pid})`;
      return `Tillgate already runs on ${stateDir}${who}. Stop it first, or give this one its own data with TILLGATE_DATA_DIR.`;
    }
    await sleep(POLL_MS);
  }
}

const SERVICE_HOLDER = `
  select a.application_name
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory' and l.granted and l.mode = 'ExclusiveLock'
    and l.classid = $1::oid and l.objid = $2::oid and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())`;

async function findServicePid(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ application_name: string }>(SERVICE_HOLDER, [LOCK_CLASS, LOCK_SERVICE]);
  const [, pid] = /^tillgate service (\d+)$/.exec(rows[0]?.application_name ?? "") ?? [];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Gives up the locks and stops the server if no other process uses it. Of two that leave at once, each has dropped its share before
 * it asks to be alone, so the later one is.
 */
async function letGo(place: Place, client: Client): Promise<void> {
  try {
    await client.query("select pg_advisory_unlock_all()");
    if (!(await ask(client, "select pg_try_advisory_lock($1, $2) as yes", LOCK_USERS))) return;
    const { rows } = await client.query<{ text: string }>("select pg_read_file('postmaster.pid') as text");
    const pidFile = parsePidFile(rows[0]?.text ?? "");
    if (pidFile !== undefined) await stopServer(place.dataDir, pidFile);
  } catch {
    // The server went away meanwhile, which is all that was wanted.
  } finally {
    await disconnect(client);
  }
}

export type Hold = { readonly release: () => Promise<void> };

/**
 * Keeps the place of this process among the users. When one backend crashes, PostgreSQL ends all connections and goes on; the
 * locks are then taken again, or the next visitor would stop the server under a running service.
 */
export function keepHold(
  place: Place,
  claim: Claim,
  joined: Connected,
  joinAgain: (wanted: Claim) => Promise<Join>,
): Hold {
  const leaving = new AbortController();
  let current: Connected | undefined;
  let rejoining = Promise.resolve();
  let released: Promise<void> | undefined;

  function watch(connected: Connected): void {
    current = connected;
    void connected.ended.then(() => {
      current = undefined;
      if (!leaving.signal.aborted) rejoining = rejoin();
    });
  }

  async function rejoin(): Promise<void> {
    let wanted = claim;
    for (let attempt = 0; !leaving.signal.aborted; attempt++) {
      const delayMs = REJOIN_DELAYS_MS[Math.min(attempt, REJOIN_DELAYS_MS.length - 1)];
      await sleep(delayMs, undefined, { ref: false, signal: leaving.signal }).catch(() => undefined);
      if (leaving.signal.aborted) return;
      const answer = await joinAgain(wanted).catch(() => ({ kind: "down" }) as const);
      if (answer.kind === "joined") return watch(answer);
      if (answer.kind === "refused") wanted = "visitor";
    }
  }

  async function leave(): Promise<void> {
    leaving.abort();
    await rejoining;
    if (current !== undefined) return letGo(place, current.client);
    const again = await join(place, "visitor").catch(() => ({ kind: "down" }) as const);
    if (again.kind === "joined") await letGo(place, again.client);
  }

  watch(joined);
  return {
    release: () => {
      released ??= leave();
      return released;
    },
  };
}
