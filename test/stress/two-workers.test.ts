import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { aClient } from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { openKilledShop } from "./killed-shop.ts";
import { expectAllTold, expectEachOnce } from "./killed-shop-ends.ts";

/** Merchants are served here; two workers share the work, and one of them is killed. Nothing helps the other one to take over. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, {}, "api");
const processes: RunningProgram[] = [];

afterAll(async () => {
  for (const each of processes) await each.end("SIGKILL");
});

async function startWorker(): Promise<RunningProgram> {
  const worker = await startProgram(["start", "--role", "worker"], {
    PATH: process.env.PATH ?? "",
    PORT: "0",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_DATA_DIR: service.stateDir,
  });
  processes.push(worker);
  return worker;
}

type Held = {
  readonly requestId: string;
  readonly leaseUntil: Date;
  /** For so many seconds more, by the database's clock. */
  readonly leftS: number;
};

/** Payments that a worker has in its hands now, and that are due: what is due later waits for that, whoever has it. */
function listHeld(): Promise<Held[]> {
  return db.run<Held>({
    text: `select request_id as "requestId", lease_until as "leaseUntil",
                  extract(epoch from lease_until - clock_timestamp())::float8 as "leftS" from payments
            where lease_until > now() and due_at <= now()`,
  });
}

/** Of these, how many are still in the same hands. */
async function countStillHeld(held: readonly Held[]): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: `select count(*)::int as count from payments p
             join unnest($1::uuid[], $2::timestamptz[]) as h (request_id, lease_until)
               on p.request_id = h.request_id and p.lease_until = h.lease_until and p.due_at <= now()`,
    values: [held.map(({ requestId }) => requestId), held.map(({ leaseUntil }) => leaseUntil)],
  });
  return row?.count ?? 0;
}

/** An answer of the provider takes so long, so that a worker with something to do surely has payments in its hands. */
const SLOW_MS = 500;
/** Longer than the other worker has a payment in its hands. */
const FROZEN_MS = 3 * SLOW_MS;

/** Until `hasten`. A sandbox looks for faults if it was told of one, or finds one when it starts: the second worker starts later. */
async function slowDown(projectId: Id): Promise<void> {
  const sandbox = await openTestSandbox(db, service);
  expect(await sandbox.addFault({ projectId, kind: "slow", ms: SLOW_MS, times: "always" })).toBe(true);
  await sandbox.close();
}

async function hasten(projectId: Id): Promise<void> {
  const sandbox = await openTestSandbox(db, service);
  expect(await sandbox.clearFaults(projectId)).toBe(true);
  await sandbox.close();
}

/** Stops the process in a moment in which it has payments in its hands, and answers these. */
async function freezeWithWork(pid: number): Promise<Held[]> {
  process.kill(pid, "SIGSTOP");
  const all = await listHeld();
  await sleep(FROZEN_MS);
  const count = await countStillHeld(all);
  if (count === 0) process.kill(pid, "SIGCONT");
  expect(count).toBeGreaterThan(0);
  return all;
}

const SHOP_COUNT = 201;
/** So long the others wait for a worker that died. */
const HELD_MAX_S = 10;
const LONG_WAIT = { timeout: 120_000, interval: 20 };

it("of two workers one is killed: the other takes over soon by itself, and each payment ends once", async () => {
  const killed = await startWorker();
  const client = await aClient(db, service, { feeBp: 100 });
  await slowDown(client.projectId);
  await startWorker();
  const shop = await openKilledShop(db, client);
  const creating = shop.create(SHOP_COUNT);
  await vi.waitFor(() => expect(shop.ended()).toBeGreaterThanOrEqual(SHOP_COUNT * 0.3), LONG_WAIT);
  const held = await vi.waitFor(() => freezeWithWork(killed.pid), LONG_WAIT);
  expect(held.filter(({ leftS }) => leftS > HELD_MAX_S)).toEqual([]);
  await killed.end("SIGKILL");
  await vi.waitFor(async () => expect(await countStillHeld(held)).toBe(0), LONG_WAIT);
  await hasten(client.projectId);
  await creating;
  await vi.waitFor(() => expect(shop.ended()).toBe(SHOP_COUNT), LONG_WAIT);
  await expectAllTold(db, shop, client.projectId);
  const sandbox = await openTestSandbox(db, service);
  await expectEachOnce(db, sandbox, client.projectId, SHOP_COUNT);
  expect(shop.faults).toEqual([]);
  await sandbox.close();
  await shop.receiver.close();
}, 300_000);
