import pg from "pg";
import type { Secret } from "../platform/secret.ts";
import { arrayText } from "./array-text.ts";
import { isAfterFailure, markAsDatabases } from "./faults.ts";
import { readUtcTimestamp } from "./timestamps.ts";

/**
 * The door to PostgreSQL. Integers of 64 bits arrive as bigint, since a double would round money; ids arrive as 32 hex
 * characters, as everywhere else in the service.
 */
export type Database = {
  /** One statement on its own. */
  readonly run: Run;
  /**
   * Several statements that stand or fall together. Each waits for a lock as long as any statement, or `lockWaitMs`. Those
   * that are run without waiting for each other's answers are sent together, and done in the order in which they were
   * run; after one that fails none is done.
   */
  readonly transaction: <T>(
    work: (tx: Transaction) => Promise<T>,
    mode?: TransactionMode,
    lockWaitMs?: number,
  ) => Promise<T>;
  /** A connection of its own, for LISTEN and for session locks. */
  readonly connect: () => Promise<pg.Client>;
  readonly close: () => Promise<void>;
  readonly stats: () => { readonly total: number; readonly idle: number; readonly waiting: number };
};

export type Row = Readonly<Record<string, unknown>>;
type Run = <R extends Row>(statement: Statement) => Promise<R[]>;
export type Transaction = { readonly run: Run };
type TransactionMode = "read write" | "snapshot";

/**
 * A named statement is planned once for each connection; it must then always have the same text. Statements of the way of a
 * payment write one array as `(select $1::uuid[])`, so that the planner cannot see how long it is: it would plan each small batch
 * again, because a plan for three rows looks cheaper than the one for any number.
 */
export type Statement = {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
  /** Zero for the few that may take as long as they take: migrations, the ledger check. */
  readonly timeoutMs?: number;
};

export type DatabaseOptions = {
  readonly connection:
    | { readonly url: Secret<string> }
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
const LIMITS: DatabaseLimits = { connectMs: 5_000, statementMs: 7_000, queryMs: 8_000, lockWaitMs: LOCK_TIMEOUT_MS };
const IDLE_IN_TRANSACTION_MS = 30_000;

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

/** Statements are sent at once, and not only when the one before was answered. */
const PIPELINED: object = { pipeline: true };

const BEGIN: Record<TransactionMode, string> = {
  "read write": "begin",
  snapshot: "begin isolation level repeatable read read only",
};

/** In one message: a transaction that is in a hurry costs no more than another. */
function beginOf(mode: TransactionMode, lockWaitMs: number, { lockWaitMs: usual }: DatabaseLimits): string {
  const begin = BEGIN[mode];
  return lockWaitMs === usual ? begin : `${begin}; set local lock_timeout = ${Math.ceil(lockWaitMs)}`;
}

export function openDatabase(options: DatabaseOptions): Database {
  const { limits = LIMITS } = options;
  const settings = clientSettings(options, limits);
  const pool = new pg.Pool({ ...settings, ...PIPELINED, max: options.connectionsMax, idleTimeoutMillis: 30_000 });
  pool.on("error", options.onIdleError);
  pool.on("connect", outliveItsEnd);

  return {
    run: (statement) => runOn(pool, limits, statement),
    transaction: async (work, mode = "read write", lockWaitMs = limits.lockWaitMs) => {
      const client = await asked(() => pool.connect());
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on("error", onError);
      try {
        await asked(() => client.query(beginOf(mode, lockWaitMs, limits)));
        const result = await work({ run: (statement) => runOn(client, limits, statement) });
        await asked(() => client.query("commit"));
        return result;
      } catch (error) {
        // A connection that is silent or cannot even roll back is thrown away; the server ends its transaction.
        if (isSilence(error)) broken = error;
        else if (broken === undefined) await client.query("rollback").catch(onError);
        throw error;
      } finally {
        client.off("error", onError);
        client.release(broken);
      }
    },
    connect: async () => {
      const client = new pg.Client(settings);
      client.on("error", options.onIdleError);
      await asked(() => client.connect());
      return client;
    },
    close: () => pool.end(),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/**
 * The pool listens only to idle clients. A connection that the server ends in the same packet in which it answers is handed out
 * before its end is read, and before the code that waits for it can listen: without a listener that would end the process.
 * The next statement on such a client fails, and the client is thrown away.
 */
function outliveItsEnd(client: pg.PoolClient): void {
  client.on("error", () => undefined);
}

async function runOn<R extends Row>(
  target: pg.Pool | pg.PoolClient,
  { queryMs }: DatabaseLimits,
  statement: Statement,
): Promise<R[]> {
  const query = {
    text: statement.text,
    values: (statement.values ?? []).map(asParameter),
    query_timeout: statement.timeoutMs ?? queryMs,
    ...(statement.name === undefined ? {} : { name: statement.name }),
  } as pg.QueryConfig;
  return (await asked(() => target.query<R>(query))).rows;
}

function asParameter(value: unknown): unknown {
  return Array.isArray(value) ? arrayText(value) : value;
}

/**
 * Waits for statements of one transaction that were sent together. Where one fails, so do all after it, but only because it
 * did: the error that counts is the first one's, whichever arrives first.
 */
export async function allSent(sent: readonly Promise<unknown>[]): Promise<void> {
  const failures = (await Promise.allSettled(sent)).flatMap((each) =>
    each.status === "rejected" ? [each.reason] : [],
  );
  if (failures.length > 0) throw failures.find((error) => !isAfterFailure(error)) ?? failures[0];
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    markAsDatabases(error);
    throw error;
  }
}

function clientSettings(options: DatabaseOptions, limits: DatabaseLimits): pg.ClientConfig {
  const { connection } = options;
  return {
    ...("url" in connection ? { connectionString: connection.url.reveal() } : connection),
    application_name: options.applicationName,
    connectionTimeoutMillis: limits.connectMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockWaitMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: typeParsers,
    // For the embedded server: settings of the environment that are meant for another one must not reach it.
    ...("url" in connection ? {} : { ssl: false, options: "-c client_min_messages=warning" }),
  };
}

/** pg gave up waiting for an answer. Whether the statement took effect is unknown. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
