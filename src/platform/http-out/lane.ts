import { fail, ok, type Result } from "../../core/result.ts";
import type { FailedReason } from "./answer.ts";
import type { Connection } from "./connection.ts";
import type { Stop } from "./stop.ts";

/** The connections to one origin over one set of pinned addresses: a few at most, lent to one request at a time. */
export type Lane = {
  readonly take: (stop: Stop) => Promise<Result<Connection, FailedReason>> | Result<Connection, FailedReason>;
  /** Every connection that was taken is given back: for reuse after a whole answer, else to be discarded. */
  readonly giveBack: (connection: Connection, use: "reuse" | "discard") => void;
  /** Keeps no connection for later any more. Those that are lent, and those who wait, are served to the end. */
  readonly retire: () => void;
  readonly close: () => Promise<void>;
};

export type LaneOptions = {
  readonly connect: (onDisconnect: () => void) => Connection;
  readonly connectionsMax: number;
  readonly waitTimeoutMs: number;
  /** Called when the last connection is gone. */
  readonly onEmpty: () => void;
};

type Waiter = (connection: Connection) => void;

export function openLane(options: LaneOptions): Lane {
  const connections = new Set<Connection>();
  /** The one used last is lent first, so that a few stay busy and the others may end. */
  const idle: Connection[] = [];
  const waiters = new Set<Waiter>();
  const discarding = new Set<Promise<void>>();
  let retired = false;

  function add(): Connection {
    const connection = options.connect(() => {
      const index = idle.indexOf(connection);
      // Only an idle connection ends by itself. One that is lent tells by its exchange, and may dial again.
      if (index !== -1) {
        idle.splice(index, 1);
        discard(connection);
      }
    });
    connections.add(connection);
    return connection;
  }

  function discard(connection: Connection): void {
    if (!connections.delete(connection)) return;
    const gone = connection.discard().finally(() => discarding.delete(gone));
    discarding.add(gone);
    const [waiter] = waiters;
    if (waiter !== undefined) waiter(add());
    if (connections.size === 0) options.onEmpty();
  }

  function wait(stop: Stop): Promise<Result<Connection, FailedReason>> {
    return new Promise((resolve) => {
      function settle(outcome: Result<Connection, FailedReason>): void {
        clearTimeout(timer);
        stop.listener = undefined;
        waiters.delete(serve);
        resolve(outcome);
      }
      const serve = (connection: Connection) => settle(ok(connection));
      stop.listener = () => settle(fail(stop.reason as FailedReason));
      const timer = setTimeout(() => settle(fail("busy")), options.waitTimeoutMs);
      waiters.add(serve);
    });
  }

  return {
    take: (stop) => {
      const free = idle.pop() ?? (connections.size < options.connectionsMax ? add() : undefined);
      return free === undefined ? wait(stop) : ok(free);
    },
    giveBack: (connection, use) => {
      const [waiter] = waiters;
      if (use === "discard" || (waiter === undefined && retired)) discard(connection);
      else if (waiter !== undefined) waiter(connection);
      else idle.push(connection);
    },
    retire: () => {
      retired = true;
      for (const connection of idle.splice(0)) discard(connection);
    },
    close: async () => {
      retired = true;
      for (const connection of [...connections]) discard(connection);
      await Promise.all(discarding);
    },
  };
}
