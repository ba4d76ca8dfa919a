import { afterAll, expect, inject, it } from "vitest";
import { Secret } from "../platform/secret.ts";
import { openTestServers } from "../testing/database/test-servers.ts";
import { openDatabase } from "./db.ts";
import { isReadOnly, isUnavailable } from "./faults.ts";

const servers = await openTestServers();
const { user } = inject("postgres");
const { turning, primary } = servers;
const db = openDatabase({
  connection: {
    url: new Secret(
      `postgresql://${user}@127.0.0.1:${turning.port},127.0.0.1:${primary}/postgres?target_session_attrs=read-write&sslmode=disable`,
    ),
  },
  applicationName: "standby connections",
  connectionsMax: 3,
  onIdleError: () => undefined,
});
afterAll(async () => {
  await db.close();
  await servers.close();
});

const write = { text: "create table never_made (id int)" };
const processId = async () => (await db.run<{ pid: number }>({ text: "select pg_backend_pid() as pid" }))[0]?.pid;

/** Three connections to the server that is about to become a standby. */
async function fillPool(): Promise<Set<number | undefined>> {
  return new Set(
    await Promise.all(
      [1, 2, 3].map(() =>
        db.transaction(
          async (tx) =>
            (await tx.run<{ pid: number }>({ text: "select pg_backend_pid() as pid, pg_sleep(0.1)" }))[0]?.pid,
        ),
      ),
    ),
  );
}

it("a write that a standby refuses throws away its connection, and all idle ones that may lead there", async () => {
  turning.setReadOnly(false);
  const before = await fillPool();
  expect(before.size).toBe(3);
  turning.setReadOnly(true);
  // As the server's demotion: the session itself takes no writes from now on.
  await db.run({ text: "set default_transaction_read_only = on" });
  const error = await db.run(write).catch((each: unknown) => each);
  expect([isReadOnly(error), isUnavailable(error)]).toEqual([true, true]);
  const connections = turning.connections();
  const after = await fillPool();
  expect([...after].filter((pid) => before.has(pid))).toEqual([]);
  // Each new connection asked the old server first, and went on to the one that takes writes.
  expect(turning.connections()).toBeGreaterThan(connections);
  await db.run({ text: "create temporary table made (id int)" });
});

it("other errors leave the idle connections alone", async () => {
  const before = await fillPool();
  await expect(db.run({ text: "select 1 / 0" })).rejects.toThrow("division by zero");
  expect(before).toContain(await processId());
});
