import { describe, expect, it, vi } from "vitest";
import { openApplyPayments } from "../app/payments/apply-payments.ts";
import { openCreatePayments } from "../app/payments/create-payments.ts";
import { type HandOver, openHandingApply } from "../app/payments/hand-over.ts";
import type { Acknowledgement, PayinState, RequisitesAnswer } from "../core/connector.ts";
import type { Id } from "../core/ids.ts";
import { newId } from "../platform/new-id.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aNewPayin, aNewPayout, ratesOf, WITH_CALLBACKS } from "../testing/builders/new-payments.ts";
import { referenceOf } from "../testing/builders/payments.ts";
import { minor } from "../testing/builders/projects.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  aFakeProvider,
  DONE,
  type FakeProvider,
  ISSUED,
  open,
  receipt,
  UNKNOWN,
} from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { toCard, useWorkerRig } from "../testing/rigs/worker-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, attemptsOf, balanceOf, endLease, find, look, workOff } = rig;
const WAIT = { timeout: 60_000, interval: 10 };
const AMOUNT = 1_000;
const SETTLED = [990n, 0n];

/** As the row says: whether a worker has it, and whether there is news of it. */
async function queueOf({ requestId }: PaymentKey) {
  const [row] = await db.run<{ leased: boolean; hinted: boolean; due: boolean }>({
    text: `select coalesce(lease_until > now(), false) as leased, hinted, coalesce(due_at <= now(), false) as due
             from payments where request_id = $1`,
    values: [requestId],
  });
  return row;
}

async function waitForState(name: PaymentKey, state: string): Promise<void> {
  await vi.waitFor(async () => expect((await find(name)).state).toBe(state), WAIT);
}

/** A process that dies between the commit and the moment at which its worker would have begun. */
const DIES: HandOver = { reserve: () => ({ begin: () => undefined, free: () => undefined }) };

const TERMS = { ...ratesOf(100), ...WITH_CALLBACKS, amount: minor(AMOUNT) };

/** A project whose pay-ins go through the provider. */
async function aRoutedProject(provider: FakeProvider): Promise<Id> {
  const { projectId } = await aPayin([provider]);
  await workOff();
  provider.asked.length = 0;
  return projectId;
}

async function create(projectId: Id, handOver: HandOver): Promise<PaymentKey> {
  const payin = aNewPayin(projectId, TERMS);
  expect(await openCreatePayments(db, handOver).payin(payin)).toMatchObject({ ok: true, value: { replayed: false } });
  return payin;
}

async function confirm(name: PaymentKey, handOver: HandOver): Promise<void> {
  const apply = openHandingApply(openApplyPayments(db), handOver);
  const { projectId, requestId } = name;
  const confirmed = await apply({ projectId, requestId, payin: { kind: "confirmed" }, actor: "merchant" });
  expect(confirmed).toMatchObject({ ok: true, value: { state: "processing:paid" } });
}

async function hintOf(name: PaymentKey) {
  return { provider: "first", reference: await referenceOf(db, name) };
}

describe("a payment that is created in a process with a worker", () => {
  it("is written with its lease and worked on without being claimed", async () => {
    const held = heldBack<RequisitesAnswer>();
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    first.answers.ask = held.answer;
    const worker = rig.startWorker();
    const name = await create(projectId, worker.handOver);
    await held.asked;
    expect(await queueOf(name)).toMatchObject({ leased: true, hinted: false });
    expect(await attemptsOf(name)).toEqual(["first open"]);
    held.letGo(ISSUED);
    await waitForState(name, "processing:awaiting_confirm");
    expect(await queueOf(name)).toEqual({ leased: false, hinted: false, due: false });
    expect(first.countOf("ask")).toBe(1);
  });

  it("is taken over when its lease ends, where the process dies before its worker begins", async () => {
    const first = aFakeProvider("first");
    const name = await create(await aRoutedProject(first), DIES);
    expect(await queueOf(name)).toMatchObject({ leased: true });
    rig.startWorker();
    const other = await aPayin([first], { projectId: name.projectId });
    await waitForState(other, "processing:awaiting_confirm");
    expect((await find(name)).state).toBe("processing:new");
    await endLease(name);
    await waitForState(name, "processing:awaiting_confirm");
    expect(await attemptsOf(name)).toEqual(["first taken"]);
  });

  it("has its lease for at most ten seconds", async () => {
    const name = await create(await aRoutedProject(aFakeProvider("first")), DIES);
    const [row] = await db.run<{ seconds: number }>({
      text: "select extract(epoch from lease_until - created_at)::float8 as seconds from payments where request_id = $1",
      values: [name.requestId],
    });
    expect(row?.seconds).toBeGreaterThan(9);
    expect(row?.seconds).toBeLessThanOrEqual(10);
  });

  it("is left to the queue where the worker has no room, and where it stops", async () => {
    const held = heldBack<RequisitesAnswer>();
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    first.answers.ask = held.answer;
    const worker = rig.startSmallWorker({ inFlightMax: 2 });
    const one = await create(projectId, worker.handOver);
    await held.asked;
    expect(worker.handOver.reserve()).toBeUndefined();
    const stopped = worker.stop();
    expect(worker.handOver.reserve()).toBeUndefined();
    held.letGo(ISSUED);
    await stopped;
    const other = await create(projectId, worker.handOver);
    expect(await queueOf(other)).toEqual({ leased: false, hinted: false, due: true });
    expect((await find(one)).state).toBe("processing:awaiting_confirm");
  });

  it("is not handed over a second time where the merchant repeats it", async () => {
    const first = aFakeProvider("first");
    const payin = aNewPayin(await aRoutedProject(first), TERMS);
    const begun: string[] = [];
    const place = { begin: ({ requestId }: PaymentKey) => void begun.push(requestId), free: () => undefined };
    const creates = openCreatePayments(db, { reserve: () => place });
    await creates.payin({ ...payin });
    expect(await creates.payin({ ...payin, requestId: newId() })).toMatchObject({
      ok: true,
      value: { replayed: true },
    });
    expect(begun).toEqual([payin.requestId]);
  });

  it("is sent as a payout under its committed reference", async () => {
    const first = aFakeProvider("first", { send: () => ({ kind: "approved" }) });
    const { projectId } = await rig.aPayout([first]);
    await workOff();
    const worker = rig.startWorker();
    const payout = aNewPayout(projectId, { ...TERMS, ...toCard(rig.deps.keyring) });
    const creates = openCreatePayments(db, worker.handOver);
    expect(await creates.payout(payout)).toMatchObject({ ok: true });
    await waitForState(payout, "success");
    expect(await attemptsOf(payout)).toEqual(["first taken"]);
    expect(first.referencesOf("send")).toContain(await referenceOf(db, payout));
  });
});

describe("a confirm in a process with a worker", () => {
  async function waiting(first: FakeProvider): Promise<PaymentKey> {
    const name = await aPayin([first]);
    await workOff();
    return name;
  }

  it("takes the lease with it, and the worker tells the provider and uses its answer", async () => {
    const first = aFakeProvider("first");
    const name = await waiting(first);
    first.answers.confirm = () => ({ ...DONE, state: open(receipt("t1", AMOUNT)) });
    const asked = first.countOf("payin");
    await confirm(name, rig.startWorker().handOver);
    await waitForState(name, "success");
    await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
    expect(first.countOf("confirm")).toBe(1);
    expect(first.countOf("payin")).toBe(asked);
    expect(await balanceOf(name)).toEqual(SETTLED);
    expect(await queueOf(name)).toEqual({ leased: false, hinted: false, due: false });
  });

  it("is told by another worker when the lease ends, where the process dies", async () => {
    const first = aFakeProvider("first");
    const name = await waiting(first);
    await confirm(name, DIES);
    expect(await queueOf(name)).toMatchObject({ leased: true });
    rig.startWorker();
    await endLease(name);
    await vi.waitFor(async () => expect((await find(name)).confirmTold).toBe(true), WAIT);
    expect(first.countOf("confirm")).toBe(1);
  });

  it("leaves a hint where another worker has the payment", async () => {
    const held = heldBack<PayinState>();
    const first = aFakeProvider("first");
    const name = await waiting(first);
    first.answers.payin = held.answer;
    const holder = rig.startSlowWorker();
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    await db.run({ text: "select pg_notify('tillgate_due', '')" });
    await held.asked;
    await confirm(name, DIES);
    expect(await queueOf(name)).toMatchObject({ leased: true, hinted: true });
    first.answers.payin = () => open();
    held.letGo(open());
    await vi.waitFor(async () => expect((await find(name)).confirmTold).toBe(true), WAIT);
    await holder.stop();
    expect(first.countOf("confirm")).toBe(1);
  });
});

describe("a provider's hint in a process with a worker", () => {
  async function paid(first: FakeProvider): Promise<PaymentKey> {
    const name = await aPayin([first]);
    await workOff();
    await confirm(name, { reserve: () => undefined });
    await workOff();
    return name;
  }

  it("is followed at once, counted once however often it comes, and not written", async () => {
    const first = aFakeProvider("first");
    const name = await paid(first);
    first.answers.payin = () => open(receipt("t1", AMOUNT));
    const worker = rig.startWorker();
    const hint = await hintOf(name);
    for (let time = 0; time < 5; time += 1) expect(worker.takeHint(hint)).toBe(true);
    await waitForState(name, "success");
    await worker.stop();
    expect(await balanceOf(name)).toEqual(SETTLED);
    expect(first.countOf("release")).toBe(1);
    expect(await queueOf(name)).toEqual({ leased: false, hinted: false, due: false });
  });

  it("changes nothing where the provider has no news", async () => {
    const first = aFakeProvider("first");
    const name = await paid(first);
    const before = await find(name);
    const worker = rig.startWorker();
    worker.takeHint(await hintOf(name));
    await vi.waitFor(() => expect(worker.done()).toBe(1), WAIT);
    await worker.stop();
    expect(await find(name)).toEqual(before);
    expect(await queueOf(name)).toEqual({ leased: false, hinted: false, due: false });
  });

  it("is written where the provider does not answer, and the queue asks again", async () => {
    const first = aFakeProvider("first");
    const name = await paid(first);
    first.answers.payin = () => UNKNOWN;
    const worker = rig.startWorker();
    worker.takeHint(await hintOf(name));
    await vi.waitFor(async () => expect((await find(name)).unknownSince).not.toBeNull(), WAIT);
  });

  it("is lost without harm where the process dies: the next look comes by the schedule", async () => {
    const first = aFakeProvider("first");
    const name = await paid(first);
    const died = heldBack<PayinState>();
    first.answers.payin = died.answer;
    const worker = rig.startSlowWorker();
    worker.takeHint(await hintOf(name));
    await died.asked;
    expect(await queueOf(name)).toEqual({ leased: false, hinted: false, due: false });
    first.answers.payin = () => open(receipt("t1", AMOUNT));
    expect(await look(name)).toMatchObject({ state: "success" });
    // The one that was taken for dead comes back, with news that is counted already.
    died.letGo(open(receipt("t1", AMOUNT)));
    await worker.stop();
    expect(await balanceOf(name)).toEqual(SETTLED);
  });

  it("ends the payment though the process dies before it tells the provider: another worker does", async () => {
    const first = aFakeProvider("first");
    const name = await paid(first);
    first.answers.payin = () => open(receipt("t1", AMOUNT));
    const died = heldBack<Acknowledgement>();
    first.answers.release = died.answer;
    const worker = rig.startSlowWorker();
    worker.takeHint(await hintOf(name));
    await died.asked;
    expect(await find(name)).toMatchObject({ state: "success", releasedAt: null });
    expect(await queueOf(name)).toMatchObject({ leased: true });
    first.answers.release = () => DONE;
    rig.startWorker();
    await endLease(name);
    await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
    died.letGo(UNKNOWN);
    await worker.stop();
    expect(await balanceOf(name)).toEqual(SETTLED);
  });

  it("waits for a look that is under way, which may have asked too early", async () => {
    const early = heldBack<PayinState>();
    const first = aFakeProvider("first");
    const name = await paid(first);
    first.answers.payin = early.answer;
    const worker = rig.startWorker();
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
    await db.run({ text: "select pg_notify('tillgate_due', '')" });
    await early.asked;
    worker.takeHint(await hintOf(name));
    first.answers.payin = () => open(receipt("t1", AMOUNT));
    early.letGo(open());
    await waitForState(name, "success");
    expect(await balanceOf(name)).toEqual(SETTLED);
  });

  it("is not taken where there is no room: then it must be written", async () => {
    const held = heldBack<PayinState>();
    const first = aFakeProvider("first");
    const [name, other] = [await paid(first), await paid(first)];
    first.answers.payin = held.answer;
    const worker = rig.startSlowWorker();
    expect(worker.takeHint(await hintOf(name))).toBe(true);
    await held.asked;
    expect(worker.takeHint(await hintOf(other))).toBe(false);
    held.letGo(open());
    await worker.stop();
    expect(worker.takeHint(await hintOf(other))).toBe(false);
  });
});
