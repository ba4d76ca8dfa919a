import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openCardDesk } from "../app/cards/charge-card.ts";
import { openCreatePayments } from "../app/payments/create-payments.ts";
import { openSandboxConnector } from "../connectors/sandbox/connector.ts";
import { openSandboxControl } from "../connectors/sandbox/control.ts";
import type { Id } from "../core/ids.ts";
import { newId } from "../platform/new-id.ts";
import { useTestSandbox } from "../sandbox/test-sandbox.ts";
import type { Database } from "../store/db.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aNewPayin, BY_CARD, ratesOf } from "../testing/builders/new-payments.ts";
import { aProject, credit, minor } from "../testing/builders/projects.ts";
import type { TestDatabase } from "../testing/database/test-database.ts";
import { checkLedger } from "../testing/rigs/with-pool.ts";
import { useWorkerRig, type WorkerRig } from "../testing/rigs/worker-rig.ts";
import { openTestConnection, TEMPLATE_DATABASE } from "../testing/run/global-setup.ts";

/**
 * A drill: payments are made, the database is lost, an older backup is restored, and the merchant repeats what it has no
 * answer for. The provider is the sandbox over HTTP, which forgets nothing.
 */
const postgres = inject("postgres");
const sandbox = useTestSandbox(postgres);
const admin = openTestConnection(postgres, "postgres");
const run = `r_${randomBytes(8).toString("hex")}`;
const BACKUP = `${run}_backup`;
const databases = { lost: openTestConnection(postgres, `${run}_lost`), restored: openTestConnection(postgres, run) };

const rig = { lost: benchOf(databases.lost), restored: benchOf(databases.restored) };
const TIMEOUT_MS = 10_000;
let projectId = "" as Id;
let connector: ReturnType<typeof openSandboxConnector>;
let control: ReturnType<typeof openSandboxControl>;

function benchOf(db: Database): WorkerRig {
  return useWorkerRig({ db } as TestDatabase);
}

beforeAll(async () => {
  await admin.run({ text: `create database ${BACKUP} template ${TEMPLATE_DATABASE}` });
  const db = openTestConnection(postgres, BACKUP);
  ({ projectId } = await aProject(db));
  await credit(db, projectId, 100_000_000n);
  await db.close();
  // What is made from now on is in the one that is lost, and not in the backup.
  for (const name of [`${run}_lost`, run]) await admin.run({ text: `create database ${name} template ${BACKUP}` });
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: TIMEOUT_MS };
  connector = openSandboxConnector(options);
  control = openSandboxControl(options);
});
afterAll(async () => {
  await Promise.all([connector.close(), control.close(), databases.lost.close(), databases.restored.close()]);
  for (const name of [`${run}_lost`, run, BACKUP]) await admin.run({ text: `drop database ${name} with (force)` });
  await admin.close();
});

async function expectBooksInOrder(): Promise<void> {
  for (const db of Object.values(databases)) expect((await checkLedger(db)).violations).toEqual([]);
}

async function arrivedSum(): Promise<bigint> {
  const books = await control.readBooks(projectId);
  return BigInt(books?.arrived[0]?.amount ?? 0);
}

/** What really left under the references of these payments, by the provider's own books. */
async function leftOf(keys: readonly PaymentKey[], from: WorkerRig) {
  const page = await control.listEntries({ projectId, limit: 1_000 });
  const references = await Promise.all(keys.map(async (key) => (await from.find(key)).reference));
  return (page?.entries ?? [])
    .filter((entry) => entry.direction === "left" && references.includes(entry.reference))
    .map(({ amount }) => amount)
    .sort();
}

describe("payouts that the restored database has forgotten", () => {
  it("are paid once, though the merchant repeats them", async () => {
    const wishes = Array.from({ length: 5 }, (_, n) => ({ projectId, paymentId: newId(), amount: 10_000 + n * 100 }));
    for (const wish of wishes) await rig.lost.aPayout([connector], wish);
    await rig.lost.workOff();
    // All are paid, and nobody of us has heard of it yet.
    await control.moveClock(projectId, 3);
    const repeated: PaymentKey[] = [];
    for (const wish of wishes) repeated.push(await rig.restored.aPayout([connector], wish));
    await rig.restored.workOff();
    await control.moveClock(projectId, 3);
    for (const key of repeated) expect(await rig.restored.look(key)).toMatchObject({ state: "success" });
    expect(await leftOf(repeated, rig.restored)).toEqual(wishes.map(({ amount }) => amount));
    const books = await control.readBooks(projectId);
    expect(books?.left).toEqual([{ currency: "RUB", amount: "51000", entries: 5 }]);
    await expectBooksInOrder();
  });

  it("are never paid, declined or sent elsewhere where the repeat asks for another sum", async () => {
    const wish = { projectId, paymentId: newId(), amount: 20_000 };
    await rig.lost.aPayout([connector], wish);
    await rig.lost.workOff();
    const key = await rig.restored.aPayout([connector], { ...wish, amount: 30_000 });
    await rig.restored.workOff();
    expect(await rig.restored.find(key)).toMatchObject({ state: "dispute:payout_failed", attemptCount: 1 });
    expect(await rig.restored.attemptsOf(key)).toEqual(["sandbox conflict"]);
    await control.moveClock(projectId, 3);
    // What the provider did for the other request is not believed of this one.
    for (let time = 0; time < 2; time += 1)
      expect(await rig.restored.look(key)).toMatchObject({
        state: "dispute:payout_failed",
        unknownSince: expect.any(Date),
      });
    expect((await rig.restored.balanceOf(key))[1]).toBe(30_300n);
    expect(await leftOf([key], rig.restored)).toEqual([20_000]);
    await expectBooksInOrder();
  });

  it("are not believed where only the question was asked, and the sum is another", async () => {
    const wish = { projectId, paymentId: newId(), amount: 40_000 };
    await rig.lost.aPayout([connector], wish);
    await rig.lost.workOff();
    await control.moveClock(projectId, 3);
    // The worker died between its call and its commit: the next one asks before it sends.
    const key = await rig.restored.aPayout([connector], { ...wish, amount: 50_000 });
    const claimed = { kind: "claimed", clearing: "clearing:sandbox" } as const;
    await rig.restored.deps.apply({ ...key, payout: claimed, actor: "worker", nextProvider: "sandbox" });
    await rig.restored.workOff();
    expect(await rig.restored.find(key)).toMatchObject({ state: "dispute:payout_failed" });
    expect(await leftOf([key], rig.restored)).toEqual([40_000]);
    await expectBooksInOrder();
  });
});

it("a pay-in has the requisites that its payer was shown, and the money that came to them", async () => {
  const wish = { projectId, paymentId: newId(), amount: 25_002 };
  const first = await rig.lost.aPayin([connector], wish);
  await rig.lost.workOff();
  const { reference } = await rig.lost.find(first);
  expect(await control.sendMoney(reference ?? "", 25_002)).toBe(true);
  const key = await rig.restored.aPayin([connector], wish);
  await rig.restored.workOff();
  expect(await rig.restored.look(key)).toMatchObject({ state: "success", reference, receivedAmount: 25_002n });
  await expectBooksInOrder();
});

it("a card is charged once", async () => {
  const paymentId = newId();
  const card = { pan: "4242424242424242", cvv: "123", holder: "OLGA P", expiryMonth: 12, expiryYear: 2040 };
  const charge = async (name: keyof typeof rig) => {
    const key = { projectId, requestId: newId() };
    const terms = { ...BY_CARD, ...ratesOf(100), amount: minor(10_000) };
    await openCreatePayments(databases[name]).payin(aNewPayin(projectId, { ...terms, ...key, paymentId }));
    const { deps } = rig[name];
    const ours = { ...deps, nowMs: Date.now, publicUrl: () => "https://pay.example", findConnector: () => connector };
    const desk = openCardDesk(ours);
    // The page is another one each time, as after a restore.
    desk.charge({ ...key, card, browser: undefined, pageToken: newId() });
    await desk.drain();
    return key;
  };
  const before = await arrivedSum();
  const first = await charge("lost");
  expect(await rig.lost.find(first)).toMatchObject({ state: "success" });
  const key = await charge("restored");
  await rig.restored.look(key);
  expect(await rig.restored.find(key)).toMatchObject({ state: "success", receivedAmount: 10_000n });
  expect((await arrivedSum()) - before).toBe(10_000n);
  await expectBooksInOrder();
});
