import pg from "pg";
import type { Secret } from "../platform/secret.ts";

/**
 * The door to PostgreSQL. Integers of 64 bits arrive as bigint, since a double would round money; ids arrive as 32 hex
 * characters, as everywhere else in the service.
 */
export type Database = {
  /** One statement on its own. */
  readonly run: Run;
  /** Several statements that stand or fall together. */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, mode?: TransactionMode) => Promise<T>;
  /** A connection of its own, for LISTEN and for session locks. */
  readonly connect: () => Promise<pg.Client>;
  readonly close: () => Promise<void>;
  readonly stats: () => { readonly total: number; readonly idle: number; readonly waiting: number };
};

export type Row = Readonly<Record<string, unknown>>;
export type Run = <R extends Row>(statement: Statement) => Promise<R[]>;
export type Transaction = { readonly run: Run };
export type TransactionMode = "read write" | "snapshot";

/** A named statement is planned once for each connection; it must then always have the same text. */
export type Statement = { readonly text: string; readonly values?: readonly unknown[]; readonly name?: string };

export type DatabaseOptions = {
  readonly connection:
    | { readonly url: Secret<string> }
    | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  readonly connectionsMax: number;
  readonly applicationName: string;
  readonly onIdleError: (error: Error) => void;
};

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 10_000;

const BIGINT_OID = 20;
const UUID_OID = 2950;
const UUID_ARRAY_OID = 2951;

const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (oid === BIGINT_OID) return BigInt;
    if (oid === UUID_OID) return (text: string) => text.replaceAll("-", "");
    if (oid === UUID_ARRAY_OID) throw new Error("select ids row by row: an array of them would keep its dashes");
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

const BEGIN: Record<TransactionMode, string> = {
  "read write": "begin",
  snapshot: "begin isolation level repeatable read read only",
};

export function openDatabase(options: DatabaseOptions): Database {
  const settings = clientSettings(options);
  const pool = new pg.Pool({ ...settings, max: options.connectionsMax, idleTimeoutMillis: 30_000 });
  pool.on("error", options.onIdleError);

  return {
    run: (statement) => runOn(pool, statement),
    transaction: async (work, mode = "read write") => {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query(BEGIN[mode]);
        const result = await work({ run: (statement) => runOn(client, statement) });
        await client.query("commit");
        return result;
      } catch (error) {
        // A connection that cannot even roll back is thrown away; the server ends its transaction.
        await client.query("rollback").catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    connect: async () => {
      const client = new pg.Client(settings);
      client.on("error", options.onIdleError);
      await client.connect();
      return client;
    },
    close: () => pool.end(),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

async function runOn<R extends Row>(target: pg.Pool | pg.PoolClient, statement: Statement): Promise<R[]> {
  const result = await target.query<R>({
    text: statement.text,
    values: (statement.values ?? []) as unknown[],
    ...(statement.name === undefined ? {} : { name: statement.name }),
  });
  return result.rows;
}

function clientSettings(options: DatabaseOptions): pg.ClientConfig {
  const { connection } = options;
  return {
    ...("url" in connection ? { connectionString: connection.url.reveal() } : connection),
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    types: typeParsers,
  };
}
