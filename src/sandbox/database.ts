import pg from "pg";
import { poolClientOf } from "../platform/postgres/pool-client.ts";
import { parsePostgresUrl } from "../platform/postgres/postgres-url.ts";
import { openServer, openServers, type Servers } from "../platform/postgres/servers.ts";

/** The sandbox's own PostgreSQL. Every change is one statement, so it needs no transactions. */
export type SandboxDatabase = {
  readonly run: <R extends Row>(text: string, values?: readonly unknown[]) => Promise<R[]>;
  /** Several statements without values. */
  readonly runScript: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Row = Readonly<Record<string, unknown>>;

/** A URL, or what `pg` takes in its place. */
export type SandboxConnection =
  | { readonly connectionString: string }
  | {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
      readonly password?: string;
    };

const CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** Every statement has its index. While tables are young PostgreSQL has no statistics, and would read them whole. */
const PLANNING = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan";

export function openSandboxDatabase(
  connection: SandboxConnection,
  onIdleError: (error: Error) => void,
): SandboxDatabase {
  const servers = serversOf(connection);
  const settings = {
    application_name: "tillgate sandbox",
    statement_timeout: STATEMENT_TIMEOUT_MS,
    options: PLANNING,
    keepAlive: true,
  };
  const pool = new pg.Pool({
    Client: poolClientOf(() => servers.connect(settings, CONNECT_TIMEOUT_MS)),
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  pool.on("error", onIdleError);
  // A client that is handed out while the server ends it has no listener, and would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const names = new Map<string, string>();
  /** Statements are constants of the code, so each is planned once for each connection: 770 requests a second, not 520. */
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    return name;
  };
  /** A statement that lost a deadlock did nothing, so it is made again. */
  async function run<R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    try {
      return (await pool.query<R>({ name: nameOf(text), text, values: values as unknown[] })).rows;
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      return run<R>(text, values);
    }
  }

  /** One transaction. One that lost a deadlock did nothing, so it is made again. */
  async function runScript(text: string): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(text);
      client.release();
    } catch (error) {
      // It is still in the transaction that failed.
      client.release(true);
      if (!isDeadlock(error)) throw error;
      await runScript(text);
    }
  }

  return {
    run,
    runScript,
    close: () => pool.end(),
  };
}

function serversOf(connection: SandboxConnection): Servers {
  if (!("connectionString" in connection)) return openServer(connection);
  const url = parsePostgresUrl(connection.connectionString);
  if (!url.ok) throw new Error(`The URL of the sandbox's database ${url.error}`);
  return openServers(url.value);
}

const DEADLOCK_DETECTED = "40P01";

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DEADLOCK_DETECTED;
}
