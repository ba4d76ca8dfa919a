import { describe, expect, it, vi } from "vitest";
import { openCreatePayments } from "../app/payments/create-payments.ts";
import type { HandOver } from "../app/payments/hand-over.ts";
import type { RequisitesAnswer } from "../core/connector.ts";
import type { Id } from "../core/ids.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aNewPayin, ratesOf, WITH_CALLBACKS } from "../testing/builders/new-payments.ts";
import { referenceOf } from "../testing/builders/payments.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import {
  aFakeProvider,
  type FakeProvider,
  ISSUED,
  NONE,
  open,
  PENDING,
  UNKNOWN,
} from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** A pay-in whose first attempt is committed by its create, for the worker of the same process. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, attemptsOf, endLease, find, look, passTime, workOff } = rig;
const WAIT = { timeout: 60_000, interval: 10 };

/** A process that dies between the commit and the moment at which its worker would have begun. */
const DIES: HandOver = { reserve: () => ({ begin: () => undefined, free: () => undefined }) };

async function aRoutedProject(...providers: readonly FakeProvider[]): Promise<Id> {
  const { projectId } = await aPayin(providers);
  await workOff();
  for (const { asked } of providers) asked.length = 0;
  return projectId;
}

async function create(projectId: Id, handOver: HandOver): Promise<PaymentKey> {
  const payin = aNewPayin(projectId, {
    ...WITH_CALLBACKS,
    ...ratesOf(100),
    asksFirst: { code: "first", reasons: null },
  });
  expect(await openCreatePayments(db, handOver).payin(payin)).toMatchObject({ ok: true, value: { replayed: false } });
  return { projectId, requestId: payin.requestId };
}

async function historyOf({ requestId }: PaymentKey): Promise<string[]> {
  const rows = await db.run<{ line: string }>({
    text: "select number || ' ' || event || ' ' || to_state as line from payment_history where request_id = $1 order by number",
    values: [requestId],
  });
  return rows.map(({ line }) => line);
}

async function callbacksOf({ requestId }: PaymentKey): Promise<string[]> {
  const rows = await db.run<{ line: string }>({
    text: "select sequence || ' ' || (body::json->'status'->>'sub_status') as line from callbacks where request_id = $1 order by sequence",
    values: [requestId],
  });
  return rows.map(({ line }) => line);
}

async function waitForState(name: PaymentKey, state: string): Promise<void> {
  await vi.waitFor(async () => expect((await find(name)).state).toBe(state), WAIT);
}

describe("where the provider issues requisites", () => {
  it("is asked under a committed reference, and submitted by the write that brings them", async () => {
    const held = heldBack<RequisitesAnswer>();
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    first.answers.ask = held.answer;
    const name = await create(projectId, rig.startWorker().handOver);
    await held.asked;
    expect(await find(name)).toMatchObject({
      state: "processing:new",
      sequence: 1,
      attemptCount: 1,
      provider: "first",
    });
    expect(await attemptsOf(name)).toEqual(["first open"]);
    expect(first.referencesOf("ask")).toEqual([await referenceOf(db, name)]);
    held.letGo(ISSUED);
    await waitForState(name, "processing:awaiting_confirm");
    expect(await find(name)).toMatchObject({ sequence: 3, attemptCount: 1 });
    expect(await attemptsOf(name)).toEqual(["first taken"]);
    expect(await historyOf(name)).toEqual([
      "1 created processing:new",
      "2 submitted processing:requisites",
      "3 requisites_issued processing:awaiting_confirm",
    ]);
    expect(await callbacksOf(name)).toEqual(["2 requisites", "3 awaiting_confirm"]);
  });

  it("is asked again under the same reference where the process died, before or after it asked", async () => {
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    const before = await create(projectId, DIES);
    const held = heldBack<RequisitesAnswer>();
    first.answers.ask = held.answer;
    const dead = rig.startWorker();
    const after = await create(projectId, dead.handOver);
    await held.asked;
    first.answers.ask = () => ISSUED;
    rig.startWorker();
    for (const name of [before, after]) {
      await endLease(name);
      await waitForState(name, "processing:awaiting_confirm");
    }
    held.letGo(ISSUED);
    await dead.stop();
    for (const name of [before, after]) {
      expect(await find(name)).toMatchObject({ state: "processing:awaiting_confirm", sequence: 3, attemptCount: 1 });
      expect(await attemptsOf(name)).toEqual(["first taken"]);
    }
    expect(first.referencesOf("ask")).toHaveLength(2);
  });

  it("gives them back where the merchant cancelled meanwhile", async () => {
    const held = heldBack<RequisitesAnswer>();
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    first.answers.ask = held.answer;
    const name = await create(projectId, rig.startWorker().handOver);
    await held.asked;
    await rig.deps.apply({ ...name, payin: { kind: "cancelled" }, actor: "merchant" });
    held.letGo(ISSUED);
    await vi.waitFor(async () => expect((await find(name)).releasedAt).not.toBeNull(), WAIT);
    expect(await find(name)).toMatchObject({ state: "decline", sequence: 2 });
    expect(first.referencesOf("release")).toEqual([await referenceOf(db, name)]);
  });
});

describe("where it does not", () => {
  it("goes to the next provider of the route", async () => {
    const [first, second] = [aFakeProvider("first"), aFakeProvider("second")];
    const projectId = await aRoutedProject(first, second);
    first.answers.ask = () => NONE;
    const name = await create(projectId, rig.startWorker().handOver);
    await waitForState(name, "processing:awaiting_confirm");
    expect(await attemptsOf(name)).toEqual(["first refused", "second taken"]);
  });

  it.each([UNKNOWN, PENDING])("is submitted, and asked again under the same reference: %o", async (answer) => {
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    first.answers.ask = () => answer;
    const name = await create(projectId, rig.startWorker().handOver);
    await waitForState(name, "processing:requisites");
    expect(await find(name)).toMatchObject({ sequence: 2, attemptCount: 1 });
    first.answers.ask = () => ISSUED;
    await waitForState(name, "processing:awaiting_confirm");
    expect(first.referencesOf("ask")).toEqual([await referenceOf(db, name)]);
  });

  it("is not asked for requisites after its lifetime, only whether it has the request", async () => {
    const first = aFakeProvider("first");
    const projectId = await aRoutedProject(first);
    const name = await create(projectId, DIES);
    first.answers.payin = () => open();
    await endLease(name);
    expect(await passTime(name, 1_000)).toMatchObject({ state: "decline" });
    expect(first.countOf("ask")).toBe(0);
    expect(first.countOf("payin")).toBeGreaterThan(0);
    expect((await look(name)).releasedAt).not.toBeNull();
    expect(first.referencesOf("release")).toEqual([await referenceOf(db, name)]);
  });
});

it("is left without an attempt where the worker has no room: then the one that claims it chooses", async () => {
  const first = aFakeProvider("first");
  const projectId = await aRoutedProject(first);
  const name = await create(projectId, { reserve: () => undefined });
  expect(await find(name)).toMatchObject({ attemptCount: 0, provider: null, reference: null });
  await workOff();
  expect(await attemptsOf(name)).toEqual(["first taken"]);
});
