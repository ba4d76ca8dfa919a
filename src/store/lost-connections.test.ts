import net from "node:net";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "./db.ts";

/**
 * Between us and a real server: adds to the message by which a connection becomes ready the one by which a server that is shut
 * down ends it. Both are then read in one go, before the code that waits for the connection runs again.
 */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const FIELDS = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";

function endedByServer(): Buffer {
  const message = Buffer.alloc(5 + FIELDS.length);
  message.write("E");
  message.writeInt32BE(4 + FIELDS.length, 1);
  message.write(FIELDS, 5);
  return message;
}

let toEnd = 0;
const postgres = inject("postgres");
const proxy = net.createServer((client) => {
  const server = net.connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
  client.pipe(server);
  server.on("data", (chunk) => {
    const isEnded = toEnd > 0 && chunk.includes(READY);
    if (!isEnded) return client.write(chunk);
    toEnd -= 1;
    return client.end(Buffer.concat([chunk, endedByServer()]));
  });
  for (const socket of [client, server]) socket.on("error", () => undefined);
  server.on("close", () => client.destroy());
  client.on("close", () => server.destroy());
});

let db: Database;
const idleErrors: Error[] = [];
beforeAll(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as net.AddressInfo;
  db = openDatabase({
    connection: { host: "127.0.0.1", port, user: postgres.user, database: "postgres" },
    applicationName: "lost connections",
    connectionsMax: 1,
    onIdleError: (error) => idleErrors.push(error),
  });
});
afterAll(async () => {
  await db.close();
  proxy.close();
});

it("a connection that ends in the moment in which it is handed out fails its transaction alone", async () => {
  toEnd = 1;
  await expect(db.transaction((tx) => tx.run({ text: "select 1 as one" }))).rejects.toThrow();
  expect(await db.transaction((tx) => tx.run({ text: "select 1 as one" }))).toEqual([{ one: 1 }]);
});

it("so does one that ends while it is handed from a statement to a transaction that waits for it", async () => {
  await db.run({ text: "select 1" });
  const statement = db.run({ text: "select 2 as two" });
  const waiting = db.transaction((tx) => tx.run({ text: "select 3 as three" }));
  toEnd = 1;
  expect(await statement).toEqual([{ two: 2 }]);
  await expect(waiting).rejects.toThrow();
  expect(await db.run({ text: "select 1 as one" })).toEqual([{ one: 1 }]);
});
