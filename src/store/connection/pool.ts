import pg from "pg";
import { poolClientOf } from "../../platform/postgres/pool-client.ts";
import { isReadOnly, Unreplicated } from "../faults.ts";

/** Connections that are used one after the other by many. */
export type ConnectionPool = {
  /** One statement on whichever connection is free. A connection whose statement fails is thrown away. */
  readonly query: (query: pg.QueryConfig) => Promise<pg.QueryResult>;
  readonly acquire: () => Promise<pg.PoolClient>;
  /** With an error, the connection is thrown away. */
  readonly release: (client: pg.PoolClient, error?: Error) => void;
  readonly close: () => Promise<void>;
  readonly stats: () => { readonly total: number; readonly idle: number; readonly waiting: number };
};

type PoolOptions = {
  readonly connect: () => Promise<pg.Client>;
  readonly connectionsMax: number;
  readonly connectMs: number;
  readonly onIdleError: (error: Error) => void;
};

const IDLE_MAX_MS = 30_000;

export function openPool({ connect, connectionsMax, connectMs, onIdleError }: PoolOptions): ConnectionPool {
  const pool = new pg.Pool({
    Client: poolClientOf(connect),
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_MAX_MS,
  });
  pool.on("error", onIdleError);
  pool.on("connect", (client) => {
    outliveItsEnd(client);
    client.on("notice", ({ routine }) => {
      if (routine === WAITS_FOR_STANDBY) client.emit("error", new Unreplicated());
    });
  });

  /** Idle connections that are about to be thrown away: many writes are refused at the same moment, and see the same ones. */
  let leaving = 0;

  /** A server that refuses a write has become a standby. Connections that are idle lead to it too, or are made again. */
  function throwAwayIdle(error: unknown): void {
    if (!isReadOnly(error)) return;
    for (; leaving < pool.idleCount; leaving += 1)
      pool
        .connect()
        .then(
          (client) => client.release(true),
          () => undefined,
        )
        .finally(() => {
          leaving -= 1;
        });
  }

  return {
    query: async (query) => {
      try {
        return await pool.query(query);
      } catch (error) {
        throwAwayIdle(error);
        throw error;
      }
    },
    acquire: () => pool.connect(),
    release: (client, error) => {
      client.release(error);
      throwAwayIdle(error);
    },
    close: () => pool.end(),
    stats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** The function of PostgreSQL whose warnings say that a commit is in one place only. Its name is in no language. */
const WAITS_FOR_STANDBY = "SyncRepWaitForLSN";

/**
 * The pool listens only to idle clients. A connection that the server ends in the same packet in which it answers is handed out
 * before its end is read, and before the code that waits for it can listen: without a listener that would end the process.
 * The next statement on such a client fails, and the client is thrown away.
 */
function outliveItsEnd(client: pg.PoolClient): void {
  client.on("error", () => undefined);
}
