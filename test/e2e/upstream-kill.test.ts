import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freePort } from "../../src/testing/http/free-port.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { openKilledShop } from "../stress/killed-shop.ts";
import { countTaken, expectEachOnce, letAllEnd } from "./upstream-endurance.ts";

/**
 * B is killed in the middle of payments that A has sent to it, and started again. Each of them ends once, and the two agree on
 * the money. B is the built program, in a process of its own; the service of B in this process only makes its keys.
 */
const gateways = useTwoGateways({ b: { role: "api" } });
const { b } = gateways;
const { count: COUNT, kills: KILLED_AT } = sizeOf({
  short: { count: 30, kills: [0.5] },
  long: { count: 240, kills: [0.2, 0.5, 0.9] },
});
const WAIT = { timeout: 90_000, interval: 20 };
let running: RunningProgram | undefined;
let port = "";

beforeAll(async () => {
  // B must be found at the same address when it is started again.
  port = `${await freePort()}`;
});
afterAll(() => running?.end("SIGKILL"));

async function startB(): Promise<void> {
  running = await startProgram(["start", "--role", "all"], {
    PATH: process.env.PATH ?? "",
    PORT: port,
    DATABASE_URL: b.database.url,
    TILLGATE_SANDBOX_DATABASE_URL: b.database.sandboxUrl,
    TILLGATE_DATA_DIR: b.service.stateDir,
  });
}

/** Answers how many payments it had in its hands. They are taken over when their leases end; the test does not wait for that. */
async function killB(): Promise<number> {
  await running?.end("SIGKILL");
  const { db } = b.database;
  const cutOff = await db.run({
    text: "update payments set lease_until = now() where lease_until > now() returning request_id",
  });
  await db.run({
    text: "update callbacks set lease_until = now(), due_at = now() where lease_until > now() and due_at is not null",
  });
  return cutOff.length;
}

it("B, killed in the middle of payments: each of them ends once at A and at B", { timeout: 600_000 }, async () => {
  await startB();
  const line = await gateways.openLine({ baseUrl: `http://127.0.0.1:${port}` });
  const shop = await openKilledShop(gateways.a.database.db, line.shop);
  await gateways.a.service.settled();
  const creating = shop.create(COUNT);
  let cutOff = 0;
  for (const part of KILLED_AT) {
    await vi.waitFor(() => expect(shop.created()).toBeGreaterThanOrEqual(COUNT * part), WAIT);
    cutOff += await killB();
    await startB();
  }
  await creating;
  const sandbox = await openTestSandbox(b.database.db, b.service);
  const taken = countTaken(shop, COUNT);
  await letAllEnd(gateways, { line, shop, sandbox }, taken);
  expect(countTaken(shop, COUNT)).toBe(taken);
  await expectEachOnce(gateways, line, taken);
  await untilBooksAgree(gateways, line);
  // It was killed in the middle of something.
  expect(cutOff).toBeGreaterThan(0);
  await sandbox.close();
  await shop.receiver.close();
});
