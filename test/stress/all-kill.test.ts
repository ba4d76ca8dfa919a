import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { aClient, openMerchantClient } from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox, type TestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { settled, useTestService } from "../../src/testing/service/test-service.ts";
import { type KilledShop, openKilledShop } from "./killed-shop.ts";
import { expectAllTold, expectEachOnce } from "./killed-shop-ends.ts";
import { addFaults } from "./p2p-endurance.ts";

/**
 * One process does everything, and hands payments, callbacks and hints over in its memory. It is killed in the middle of
 * whole payments, and what it had in memory is gone. The process here only makes the keys.
 */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, {}, "api");
const COUNT = 240;
const FAULT_ROUNDS = 2;
/** The process is killed when so large a part was created, or has ended. */
const KILLED_AT = [
  { of: "created", part: 0.4 },
  { of: "ended", part: 0.3 },
  { of: "ended", part: 0.7 },
] as const;
const WAIT = { timeout: 90_000, interval: 20 };
let running: RunningProgram | undefined;

afterAll(() => running?.end("SIGKILL"));

async function start(): Promise<void> {
  running = await startProgram(["start", "--role", "all"], {
    PATH: process.env.PATH ?? "",
    PORT: "0",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_DATA_DIR: service.stateDir,
  });
}

type CutOff = { readonly payments: number; readonly callbacks: number };

/** Answers what it had in its hands. That is taken over when its leases end; the test does not wait a minute for it. */
async function kill(): Promise<CutOff> {
  await running?.end("SIGKILL");
  const [cutOff] = await db.run<CutOff>({
    text: `with held as (
             update payments set lease_until = now() where lease_until > now() returning request_id),
           sent as (
             update callbacks set lease_until = now(), due_at = now() where lease_until > now() and due_at is not null
              returning id)
           select (select count(*) from held)::int as payments, (select count(*) from sent)::int as callbacks`,
  });
  return cutOff ?? { payments: 0, callbacks: 0 };
}

/** A card that died with the process is asked for half a minute later, and once more after that. */
const STEP_S = 35;
const STEPS_MAX = 12;
const STEP_EVERY_MS = 2_000;

async function letAllEnd(sandbox: TestSandbox, shop: KilledShop, projectId: Id): Promise<void> {
  for (let step = 0; step < STEPS_MAX && shop.ended() < COUNT; step += 1) {
    await sleep(STEP_EVERY_MS);
    await sandbox.passTime(projectId, STEP_S);
  }
  await vi.waitFor(() => expect(shop.ended()).toBe(COUNT), WAIT);
}

it.each([
  ["", 0],
  [", with a provider that goes wrong", FAULT_ROUNDS],
])(
  `role all, killed ${KILLED_AT.length} times%s: each payment ends once, and its merchant hears of all of it`,
  async (_, rounds) => {
    await start();
    const own = await aClient(db, service, { feeBp: 100 });
    const client = { ...openMerchantClient(() => running?.url ?? "", own.credentials), credentials: own.credentials };
    const shop = await openKilledShop(db, client);
    await settled(database, running?.url ?? "");
    const first = await openTestSandbox(db, service);
    await addFaults(first, client.projectId, rounds);
    await first.close();
    const creating = shop.create(COUNT);
    const cutOff: CutOff[] = [];
    for (const { of, part } of KILLED_AT) {
      await vi.waitFor(() => expect(shop[of]()).toBeGreaterThanOrEqual(COUNT * part), WAIT);
      cutOff.push(await kill());
      await start();
    }
    await creating;
    const sandbox = await openTestSandbox(db, service);
    await letAllEnd(sandbox, shop, client.projectId);
    await expectAllTold(db, shop, client.projectId);
    await expectEachOnce(db, sandbox, client.projectId, COUNT);
    expect(shop.faults).toEqual([]);
    // It was killed in the middle of something.
    expect(cutOff.reduce((sum, { payments }) => sum + payments, 0)).toBeGreaterThan(0);
    expect(cutOff.reduce((sum, { callbacks }) => sum + callbacks, 0)).toBeGreaterThan(0);
    await sandbox.close();
    await shop.receiver.close();
    await running?.end("SIGTERM");
  },
  600_000,
);
