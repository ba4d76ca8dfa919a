import { expect, it, vi } from "vitest";
import { openProviderHealth } from "../app/providers/health-window.ts";
import { watchConnector } from "../app/providers/provider-health.ts";
import type { PayoutOutcome, RequisitesAnswer } from "../core/connector.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, ISSUED, NEVER_SEEN, PENDING } from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** A provider that hangs does not keep the others from their work. */
const database = useTestDatabase();
const rig = useWorkerRig(database);
const { aPayin, aPayout, find } = rig;
const WAIT = { timeout: 60_000, interval: 10 };
const PLACES = 8;

async function waitForState(name: PaymentKey, state: string): Promise<void> {
  await vi.waitFor(async () => expect((await find(name)).state).toBe(state), WAIT);
}

it("payments of one provider proceed while all calls to another hang", async () => {
  const held = heldBack<RequisitesAnswer>();
  const hanging = aFakeProvider("hanging", { ask: held.answer });
  const first = await aPayin([hanging]);
  const others = Array.from({ length: 3 * PLACES }, () => aPayin([hanging], { projectId: first.projectId }));
  await Promise.all(others);
  const answering = aFakeProvider("answering");
  rig.startSmallWorker({ inFlightMax: PLACES, placeWaitMs: 100 });
  await held.asked;
  const name = await aPayin([answering]);
  await waitForState(name, "processing:awaiting_confirm");
  expect(hanging.countOf("ask")).toBe(PLACES / 2);
  held.letGo(ISSUED);
  await waitForState(first, "processing:awaiting_confirm");
});

it("a third provider has room while two hang, and requests that were given back are as they were", async () => {
  const [one, two] = [heldBack<PayoutOutcome>(), heldBack<PayoutOutcome>()];
  const hanging = [aFakeProvider("one", { send: one.answer }), aFakeProvider("two", { send: two.answer })];
  const names: PaymentKey[] = [];
  for (const provider of hanging) {
    const first = await aPayout([provider]);
    names.push(first);
    for (let count = 1; count < 2 * PLACES; count += 1)
      names.push(await aPayout([provider], { projectId: first.projectId }));
  }
  rig.startSmallWorker({ inFlightMax: PLACES, placeWaitMs: 100 });
  await Promise.all([one.asked, two.asked]);
  const name = await aPayout([aFakeProvider("three", { send: () => APPROVED })]);
  await waitForState(name, "success");
  const waiting = await Promise.all(names.map(find));
  expect(waiting.filter(({ state, tries }) => state === "processing:new" && tries > 0)).toEqual([]);
  for (const held of [one, two]) held.letGo(PENDING);
  for (const provider of hanging) provider.answers.payout = () => NEVER_SEEN;
});

it("all of a provider's payments are worked on though there are more than places", async () => {
  const provider = aFakeProvider("busy");
  const first = await aPayin([provider]);
  const others = Array.from({ length: 5 * PLACES }, () => aPayin([provider], { projectId: first.projectId }));
  const names = [first, ...(await Promise.all(others))];
  rig.startSmallWorker({ inFlightMax: PLACES, placeWaitMs: 20_000 });
  await vi.waitFor(async () => {
    const states = (await Promise.all(names.map(find))).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["processing:awaiting_confirm"]));
  }, WAIT);
});

it("a provider has no more calls at a time than it may have", async () => {
  const held = heldBack<RequisitesAnswer>();
  const fake = aFakeProvider("narrow", { ask: held.answer });
  const health = openProviderHealth();
  const narrow = watchConnector(fake, health, 2);
  const first = await aPayin([narrow]);
  const others = Array.from({ length: PLACES }, () => aPayin([narrow], { projectId: first.projectId }));
  const names = [first, ...(await Promise.all(others))];
  rig.startSmallWorker({ inFlightMax: 4 * PLACES, placeWaitMs: 100 });
  await held.asked;
  const name = await aPayin([aFakeProvider("wide")]);
  await waitForState(name, "processing:awaiting_confirm");
  expect(fake.countOf("ask")).toBe(2);
  // No other was begun, to be turned away at the gate.
  const begun = (await Promise.all(names.map(find))).filter(({ state }) => state !== "processing:new");
  expect(begun).toHaveLength(2);
  held.letGo(ISSUED);
  for (const each of names) await waitForState(each, "processing:awaiting_confirm");
  expect(fake.countOf("ask")).toBe(names.length);
  expect(health.list()).toMatchObject([{ totals: { refused: 0, lost: 0 } }]);
});
