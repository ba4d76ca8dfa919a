import type pg from "pg";
import { arrayText } from "./array-text.ts";
import { type ConnectionPool, openPool } from "./connection/pool.ts";
import { type DatabaseLimits, type DatabaseOptions, LIMITS, openDoors } from "./connection/settings.ts";

import { isAfterFailure, isReadOnly, markAsDatabases, Unreplicated } from "./faults.ts";

export { type DatabaseLimits, LOCK_TIMEOUT_MS } from "./connection/settings.ts";

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
  const { limits = LIMITS, connectionsMax, onIdleError } = options;
  const doors = openDoors(options);
  const pool = openPool({ connect: doors.shared, connectionsMax, connectMs: limits.connectMs, onIdleError });

  return {
    run: (statement) => runOn(pool, limits, statement),
    transaction: async (work, mode = "read write", lockWaitMs = limits.lockWaitMs) => {
      const client = await asked(pool.acquire);
      const say = (text: string) =>
        asked(() => client.query({ text, query_timeout: limits.queryMs } as pg.QueryConfig));
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      client.on("error", onError);
      try {
        await say(beginOf(mode, lockWaitMs, limits));
        const result = await work({ run: (statement) => runOn(client, limits, statement) });
        await say("commit");
        if (broken instanceof Unreplicated) throw broken;
        return result;
      } catch (error) {
        // A connection that is silent, leads to a standby or cannot even roll back is thrown away; the server ends its transaction.
        if (isSilence(error) || isReadOnly(error)) broken = error as Error;
        else if (broken === undefined) await say("rollback").catch(onError);
        throw error;
      } finally {
        client.off("error", onError);
        pool.release(client, broken);
      }
    },
    connect: async () => {
      const client = await asked(doors.session);
      client.on("error", onIdleError);
      return client;
    },
    close: pool.close,
    stats: pool.stats,
  };
}

async function runOn<R extends Row>(
  target: Pick<ConnectionPool, "query"> | pg.PoolClient,
  { queryMs }: DatabaseLimits,
  statement: Statement,
): Promise<R[]> {
  const query = {
    text: statement.text,
    values: (statement.values ?? []).map(asParameter),
    query_timeout: statement.timeoutMs ?? queryMs,
    ...(statement.name === undefined ? {} : { name: statement.name }),
  } as pg.QueryConfig;
  return (await asked(() => target.query(query))).rows;
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

/** pg gave up waiting for an answer. Whether the statement took effect is unknown. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
