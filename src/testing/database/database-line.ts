import { once } from "node:events";
import net from "node:net";
import { inject } from "vitest";
import type { Database } from "../../store/db.ts";
import { openTestConnection } from "../run/global-setup.ts";

/** A way to the tests' PostgreSQL that a test can cut: connections through it end as they do when a server is lost. */
export type DatabaseLine = {
  readonly db: Database;
  /** Ends every connection, and refuses new ones until it is mended. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Of the commits from now on, the answer to the one with this number is lost: the server has done it, and the connection ends. */
  readonly loseAnswerOfCommit: (number: number) => void;
  /** How many answers were lost so. */
  readonly lostCount: () => number;
  readonly close: () => Promise<void>;
};

/** What the server says of a commit that is done. */
const COMMITTED = Buffer.from("C\0\0\0\x0bCOMMIT\0", "latin1");

export async function openDatabaseLine(direct: Pick<Database, "run">): Promise<DatabaseLine> {
  const postgres = inject("postgres");
  const clients = new Set<net.Socket>();
  let isCut = false;
  let commitsLeft = 0;
  let lost = 0;

  /** True where this is the answer that a test wants to be lost. */
  function mustLose(chunk: Buffer): boolean {
    if (commitsLeft === 0 || !chunk.includes(COMMITTED)) return false;
    commitsLeft -= 1;
    if (commitsLeft > 0) return false;
    lost += 1;
    return true;
  }

  const proxy = net.createServer((client) => {
    if (isCut) return client.destroy();
    const server = net.connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
    clients.add(client);
    client.pipe(server);
    server.on("data", (chunk) => (mustLose(chunk) ? client.destroy() : client.write(chunk)));
    for (const socket of [client, server]) socket.on("error", () => undefined);
    server.on("close", () => client.destroy());
    return client.on("close", () => {
      clients.delete(client);
      server.destroy();
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as net.AddressInfo;
  const [row] = await direct.run<{ name: string }>({ text: "select current_database() as name" });
  const db = openTestConnection({ ...postgres, host: "127.0.0.1", port }, row?.name ?? "");
  return {
    db,
    cut: () => {
      isCut = true;
      for (const client of clients) client.destroy();
    },
    mend: () => {
      isCut = false;
    },
    loseAnswerOfCommit: (number) => {
      commitsLeft = number;
    },
    lostCount: () => lost,
    close: async () => {
      await db.close();
      proxy.close();
    },
  };
}
