import pg from "pg";
import { parsePostgresUrl } from "../../platform/postgres/postgres-url.ts";
import { openServer, openServers, type Servers } from "../../platform/postgres/servers.ts";
import type { Secret } from "../../platform/secret.ts";
import { readUtcTimestamp } from "../timestamps.ts";

/** Where the database is, and how long it may take. */
export type DatabaseOptions = {
  readonly connection:
    | { readonly url: Secret<string>; readonly directUrl?: Secret<string> | undefined }
    | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  readonly connectionsMax: number;
  readonly applicationName: string;
  readonly onIdleError: (error: Error) => void;
  /** Tests are more patient, because a busy machine is no fault. */
  readonly limits?: DatabaseLimits;
};

export type DatabaseLimits = {
  readonly connectMs: number;
  readonly statementMs: number;
  /** The server's own time-outs are of no use when its answers no longer arrive, as behind a firewall that forgot us. */
  readonly queryMs: number;
  /** Of a transaction that does not say how long it waits for a lock. */
  readonly lockWaitMs: number;
};

export const LOCK_TIMEOUT_MS = 5_000;
export const LIMITS: DatabaseLimits = {
  connectMs: 5_000,
  statementMs: 7_000,
  queryMs: 8_000,
  lockWaitMs: LOCK_TIMEOUT_MS,
};
export const IDLE_IN_TRANSACTION_MS = 30_000;
/** A server that vanished without a word is noticed 10 s after this long a silence: Node then probes every second. */
const KEEP_ALIVE_AFTER_MS = 5_000;

/** Two doors to one database. They differ only where a pooler stands before the server, and a direct URL leads past it. */
export type Doors = {
  /** For statements and transactions. */
  readonly shared: () => Promise<pg.Client>;
  /** For what needs a session: LISTEN, cursors that outlive a transaction, locks of a session. */
  readonly session: () => Promise<pg.Client>;
};

export function openDoors(options: DatabaseOptions): Doors {
  const { connection, limits = LIMITS } = options;
  const settings = clientSettings(options);
  if (!("url" in connection)) {
    // For the embedded server: settings of the environment that are meant for another one must not reach it.
    const server = openServer({ ...connection, ssl: false, options: "-c client_min_messages=warning" });
    const open = (more: pg.ClientConfig) =>
      server.connect({ ...settings, ...timeouts(limits), ...more }, limits.connectMs);
    return { shared: () => open(PIPELINED), session: () => open({}) };
  }
  const { url, directUrl } = connection;
  const shared = serversAt(url);
  const session = directUrl === undefined ? shared : serversAt(directUrl);
  // A pooler refuses them at the start of a connection; there the role has them (connection/examine.ts).
  const ofShared = directUrl === undefined ? timeouts(limits) : {};
  return {
    shared: () => shared.connect({ ...settings, ...ofShared, ...PIPELINED }, limits.connectMs),
    session: () => session.connect({ ...settings, ...timeouts(limits) }, limits.connectMs),
  };
}

function serversAt(url: Secret<string>): Servers {
  const parsed = parsePostgresUrl(url.reveal());
  if (!parsed.ok) throw new Error(`The URL of the database ${parsed.error}`);
  return openServers(parsed.value);
}

/** Statements are sent at once, and not only when the one before was answered. */
const PIPELINED: object = { pipeline: true };

function clientSettings({ applicationName }: DatabaseOptions): pg.ClientConfig {
  return {
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: typeParsers,
  };
}

function timeouts(limits: DatabaseLimits): pg.ClientConfig {
  return {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockWaitMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
}

const BIGINT_OID = 20;
const UUID_OID = 2950;
const UUID_ARRAY_OID = 2951;
const TIMESTAMPTZ_OID = 1184;
const readTimestamp = pg.types.getTypeParser(TIMESTAMPTZ_OID, "text") as (text: string) => Date;

const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === BIGINT_OID) return BigInt;
    if (oid === UUID_OID) return (text: string) => text.replaceAll("-", "");
    if (oid === TIMESTAMPTZ_OID) return (text: string) => readUtcTimestamp(text) ?? readTimestamp(text);
    if (oid === UUID_ARRAY_OID) throw new Error("select ids row by row: an array of them would keep its dashes");
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};
