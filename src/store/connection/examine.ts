import { randomBytes } from "node:crypto";
import pg from "pg";
import { fail, ok, type Result } from "../../core/result.ts";
import { isReadOnly, markAsDatabases } from "../faults.ts";
import { type DatabaseOptions, type Doors, IDLE_IN_TRANSACTION_MS, LIMITS, openDoors } from "./settings.ts";

/**
 * Looks at what stands between us and the server before anything depends on it. A pooler in transaction mode gives each
 * transaction another connection of its own, so what belongs to a session is lost without a word: LISTEN, time-outs, prepared
 * statements. It is judged by what it does, since a pooler says neither that it is one nor which version it is.
 *
 * "standby" is a server that takes no writes now. The error is a sentence for the person who set the URLs.
 */
export async function examineDatabase(options: DatabaseOptions): Promise<Result<"ready" | "standby", string>> {
  const { connection } = options;
  const hasDirect = "url" in connection && connection.directUrl !== undefined;
  const doors = openDoors(options);
  const opened: pg.Client[] = [];
  try {
    const shared = await openAt("DATABASE_URL", doors.shared, opened);
    const traits = await lookAt(shared);
    if (traits.isStandby) return ok("standby");
    if (!hasDirect) return traits.isPooled ? fail(DIRECT_WANTED) : ok("ready");
    return await examineBoth(shared, traits, doors, opened);
  } catch (error) {
    if (error instanceof Refusal) return fail(error.message);
    markAsDatabases(error);
    if (isReadOnly(error)) return ok("standby");
    throw error;
  } finally {
    for (const client of opened) client.end().catch(() => undefined);
  }
}

class Refusal extends Error {}

const CHAPTER = 'See "The database: several servers and poolers" in docs/operations.md.';
const DIRECT_WANTED = `DATABASE_URL leads through a pooler such as PgBouncer: set DATABASE_DIRECT_URL to a URL that leads to the server itself. ${CHAPTER}`;
const DIRECT_POOLED = `DATABASE_DIRECT_URL leads through a pooler: it must lead to the server itself. ${CHAPTER}`;
const NO_PREPARED = `The pooler at DATABASE_URL does not keep prepared statements apart: use PgBouncer 1.21 or newer with pool_mode = transaction and max_prepared_statements above 0. ${CHAPTER}`;
const NOT_HEARD = `A notification that was sent through DATABASE_URL did not arrive at DATABASE_DIRECT_URL: both must lead to the same database. ${CHAPTER}`;

/** What PgBouncer says to a connection that comes with settings which it cannot keep. Its code, 08P01, has many meanings. */
const SETTINGS_REFUSED = /^unsupported startup parameter/;

async function openAt(setting: string, open: Doors["shared"], opened: pg.Client[]): Promise<pg.Client> {
  try {
    const client = await open();
    opened.push(client);
    return client;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && SETTINGS_REFUSED.test(error.message))) throw error;
    throw new Refusal(setting === "DATABASE_URL" ? DIRECT_WANTED : DIRECT_POOLED);
  }
}

async function examineBoth(
  shared: pg.Client,
  traits: Traits,
  doors: Doors,
  opened: pg.Client[],
): Promise<Result<"ready", string>> {
  const session = await openAt("DATABASE_DIRECT_URL", doors.session, opened);
  if ((await lookAt(session)).isPooled) return fail(DIRECT_POOLED);
  if (traits.isPooled && traits.keepsNames) return fail(NO_PREPARED);
  const lacking = explainTimeouts(traits);
  if (lacking !== undefined) return fail(lacking);
  return (await hears(session, shared)) ? ok("ready") : fail(NOT_HEARD);
}

type Traits = {
  readonly isStandby: boolean;
  /** The process that answers is not the one whose number we got when we connected. */
  readonly isPooled: boolean;
  /** Statements have the names that we gave them; a pooler that keeps those of its clients apart gives them others. */
  readonly keepsNames: boolean;
  readonly user: string;
  readonly database: string;
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleMs: number;
};

const ANSWER_WITHIN_MS = 5_000;

async function lookAt(client: pg.Client): Promise<Traits> {
  const name = `tillgate_probe_${randomBytes(8).toString("hex")}`;
  const setting = (of: string) => `(select setting::int from pg_settings where name = '${of}')`;
  const query = {
    name,
    text: `select pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid, current_user as user,
                  current_database() as database,
                  exists (select from pg_prepared_statements where name = $1) as "keepsNames",
                  ${setting("statement_timeout")} as "statementMs", ${setting("lock_timeout")} as "lockMs",
                  ${setting("idle_in_transaction_session_timeout")} as "idleMs"`,
    values: [name],
    query_timeout: ANSWER_WITHIN_MS,
  };
  const { rows } = await client.query<Omit<Traits, "isPooled"> & { readonly pid: number }>(query as pg.QueryConfig);
  const [row] = rows;
  if (row === undefined) throw new Error("the database answered without a row");
  return { ...row, isPooled: row.pid !== (client as unknown as { readonly processID: number }).processID };
}

/** A transaction pooler gives no client settings of its own, so the role or the database has to have them. */
function explainTimeouts({ user, database, statementMs, lockMs, idleMs }: Traits): string | undefined {
  const wanted = [
    ["statement_timeout", statementMs, LIMITS.statementMs],
    ["lock_timeout", lockMs, LIMITS.lockWaitMs],
    ["idle_in_transaction_session_timeout", idleMs, IDLE_IN_TRANSACTION_MS],
  ] as const;
  const lacking = wanted.filter(([, isMs, mostMs]) => isMs === 0 || isMs > mostMs);
  if (lacking.length === 0) return undefined;
  const found = lacking.map(([name, isMs, mostMs]) => `${name} is ${isMs} ms and must be from 1 to ${mostMs}`);
  const place = `alter role ${quoted(user)} in database ${quoted(database)}`;
  const remedy = lacking.map(([name, , mostMs]) => `${place} set ${name} = ${mostMs};`);
  return `On connections through DATABASE_URL ${found.join(", ")}. Run in psql: ${remedy.join(" ")} Then run RECONNECT in the console of PgBouncer. ${CHAPTER}`;
}

function quoted(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

const HEARD_WITHIN_MS = 3_000;

async function hears(listener: pg.Client, speaker: pg.Client): Promise<boolean> {
  const channel = `tillgate_probe_${randomBytes(8).toString("hex")}`;
  let timer: NodeJS.Timeout | undefined;
  const heard = new Promise<boolean>((resolve) => {
    listener.on("notification", (notification) => {
      if (notification.channel === channel) resolve(true);
    });
    timer = setTimeout(() => resolve(false), HEARD_WITHIN_MS);
  });
  try {
    await listener.query(`listen ${channel}`);
    await speaker.query("select pg_notify($1, '')", [channel]);
    return await heard;
  } finally {
    clearTimeout(timer);
  }
}
