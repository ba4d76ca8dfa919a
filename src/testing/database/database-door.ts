import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, inject } from "vitest";
import type { TestDatabase } from "./test-database.ts";

/**
 * What a service under test has between itself and PostgreSQL. The test stops it in the ways in which a server stops, without
 * stopping the one that all test files share.
 */
export type DatabaseDoor = {
  /** The same database, reached through the door. */
  readonly database: TestDatabase;
  /** Nothing comes through, and no connection ends: a server under SIGSTOP, a network that loses everything. */
  readonly freeze: () => void;
  /** Every connection ends, and new ones are refused: a server under SIGKILL. */
  readonly shut: () => void;
  readonly open: () => void;
  /** The next statement with this name is committed. The answer to its commit is lost, and the connection with it. */
  readonly loseCommitOf: (statement: string) => void;
};

type State = "open" | "frozen" | "shut";
type Line = { readonly client: Socket; readonly server: Socket };
/** The server waits for the next statement, and is in no transaction: what came before is committed. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export function useDatabaseDoor(database: TestDatabase): DatabaseDoor {
  const postgres = inject("postgres");
  const lines = new Set<Line>();
  let state: State = "open";
  let lost: string | undefined;
  let port = 0;

  const door = createServer((client) => {
    if (state === "shut") return client.destroy();
    const server = connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
    const line = { client, server };
    let losesCommit = false;
    lines.add(line);
    client.on("data", (chunk) => {
      if (lost !== undefined && chunk.includes(lost)) {
        lost = undefined;
        losesCommit = true;
      }
      server.write(chunk);
    });
    server.on("data", (chunk) => {
      if (losesCommit && chunk.subarray(-IDLE.length).equals(IDLE)) end(line);
      else client.write(chunk);
    });
    for (const socket of [client, server]) socket.on("error", () => undefined).on("close", () => end(line));
    if (state === "frozen") pause(line);
    return client;
  });

  function end(line: Line): void {
    lines.delete(line);
    line.client.destroy();
    line.server.destroy();
  }

  beforeAll(async () => {
    door.listen(0, "127.0.0.1");
    await once(door, "listening");
    const address = door.address();
    port = typeof address === "object" ? (address?.port ?? 0) : 0;
  });
  afterAll(() => {
    for (const line of lines) end(line);
    door.close();
  });
  const name = new URL(database.url.replace("@/", "@socket/")).pathname;
  return {
    database: {
      ...database,
      get url() {
        return `postgresql://${postgres.user}@127.0.0.1:${port}${name}`;
      },
    },
    freeze: () => {
      state = "frozen";
      for (const line of lines) pause(line);
    },
    shut: () => {
      state = "shut";
      for (const line of lines) end(line);
    },
    open: () => {
      state = "open";
      for (const { client, server } of lines) for (const socket of [client, server]) socket.resume();
    },
    loseCommitOf: (statement) => {
      lost = statement;
    },
  };
}

function pause({ client, server }: Line): void {
  client.pause();
  server.pause();
}
