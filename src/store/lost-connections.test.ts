import net from "node:net";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Database, openDatabase } from "./db.ts";
import { isUnavailable } from "./faults.ts";

/**
 * Between us and a real server: adds to the message by which a connection becomes ready the one by which a server that is shut
 * down ends it. Both are then read in one go, before the code that waits for the connection runs again.
 */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const FIELDS = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";

function messageOf(kind: "E" | "N", fields: string): Buffer {
  const message = Buffer.alloc(5 + fields.length);
  message.write(kind);
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}

/** What a server says before it acknowledges a commit for which it was told not to wait for a standby, in whatever language. */
const ALONE =
  "SWARNUNG\0VWARNING\0C01000\0MStorniere Warten auf synchrone Replikation\0Fsyncrep.c\0L1\0RSyncRepWaitForLSN\0\0";

let toEnd = 0;
let leavesAlone: "COMMIT" | "INSERT" | undefined;
const postgres = inject("postgres");
const proxy = net.createServer((client) => {
  const server = net.connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
  client.pipe(server);
  server.on("data", (chunk) => {
    if (leavesAlone !== undefined && chunk.includes(leavesAlone))
      return client.write(Buffer.concat([messageOf("N", ALONE), chunk]));
    const isEnded = toEnd > 0 && chunk.includes(READY);
    if (!isEnded) return client.write(chunk);
    toEnd -= 1;
    return client.end(Buffer.concat([chunk, messageOf("E", FIELDS)]));
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

it("a commit that was acknowledged without its standby is unknown, and its connection is thrown away", async () => {
  const write = { text: "insert into lost_connections values (1)" };
  await db.run({ text: "create table lost_connections (id int)" });
  leavesAlone = "COMMIT";
  const inTransaction = await db.transaction((tx) => tx.run(write)).catch((error: unknown) => error);
  leavesAlone = "INSERT";
  const onItsOwn = await db.run(write).catch((error: unknown) => error);
  leavesAlone = undefined;
  for (const error of [inTransaction, onItsOwn]) {
    expect(error).toMatchObject({ code: "08007" });
    expect(isUnavailable(error)).toBe(true);
  }
  expect(await db.run({ text: "select count(*)::int as count from lost_connections" })).toEqual([{ count: 2 }]);
  await db.run({ text: "drop table lost_connections" });
});
