import net from "node:net";
import { inject } from "vitest";

/** Doors to the tests' PostgreSQL that behave as the servers of a cluster do: one takes writes, one does not, one is silent. */
export type TestServers = {
  readonly primary: number;
  readonly readOnly: number;
  /** Takes connections and never answers. */
  readonly frozen: number;
  /** A port on which no server listens, until one takes writes there. */
  readonly dead: number;
  readonly startDead: () => Promise<void>;
  /** Takes writes or not, as it is told. */
  readonly turning: Turning;
  readonly close: () => Promise<void>;
};

type Turning = {
  readonly port: number;
  /** For connections that are made from now on. */
  readonly setReadOnly: (isReadOnly: boolean) => void;
  /** As SIGSTOP does: nothing is answered any more on the connections that there are. */
  readonly freeze: () => void;
  readonly connections: () => number;
};

export async function openTestServers(): Promise<TestServers> {
  const postgres = inject("postgres");
  const path = `${postgres.host}/.s.PGSQL.${postgres.port}`;
  const opened: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  let isTurnedReadOnly = false;
  let turningCount = 0;
  const frozenBy = new Set<() => void>();

  async function listen(serve: (client: net.Socket) => void, port = 0): Promise<number> {
    const server = net.createServer((client) => {
      sockets.add(client);
      client.on("error", () => undefined);
      client.on("close", () => sockets.delete(client));
      serve(client);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    opened.push(server);
    return (server.address() as net.AddressInfo).port;
  }

  const leadsOn = (isReadOnly: () => boolean) => (client: net.Socket) => {
    const server = net.connect(path);
    server.on("error", () => undefined);
    server.on("close", () => client.destroy());
    client.on("close", () => server.destroy());
    client.once("data", (first) => {
      server.write(isReadOnly() ? asReadOnly(first) : first);
      client.pipe(server);
    });
    server.pipe(client);
    return () => server.unpipe(client).pause();
  };

  const turning = await listen((client) => {
    turningCount += 1;
    frozenBy.add(leadsOn(() => isTurnedReadOnly)(client));
  });
  const dead = await listen(() => undefined);
  await new Promise((resolve) => opened.pop()?.close(resolve));
  return {
    primary: await listen(leadsOn(() => false)),
    readOnly: await listen(leadsOn(() => true)),
    frozen: await listen(() => undefined),
    dead,
    startDead: async () => {
      await listen(
        leadsOn(() => false),
        dead,
      );
    },
    turning: {
      port: turning,
      setReadOnly: (isReadOnly) => {
        isTurnedReadOnly = isReadOnly;
      },
      freeze: () => {
        for (const freeze of frozenBy) freeze();
      },
      connections: () => turningCount,
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(opened.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** The first message of a connection, with one setting more at its end. */
function asReadOnly(first: Buffer): Buffer {
  const setting = Buffer.from("options\0-c default_transaction_read_only=on\0\0");
  const message = Buffer.concat([first.subarray(0, -1), setting]);
  message.writeInt32BE(message.length, 0);
  return message;
}
