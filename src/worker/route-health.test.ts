import { expect, it } from "vitest";
import { mergeBanks } from "../app/merchants/banks.ts";
import { importBins } from "../app/merchants/import-bins.ts";
import { openProviderHealth } from "../app/providers/health-window.ts";
import { watchConnector } from "../app/providers/provider-health.ts";
import { orderEntries } from "../core/merchants/route-entry.ts";
import { parseRoute } from "../core/merchants/route-text.ts";
import { listAttempts, type StoredAttempt } from "../store/payments/attempts.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aHandClock } from "../testing/builders/hand-clock.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, ISSUED, UNKNOWN } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** Which provider a worker takes where routes have conditions, and where providers do not answer. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, aPayout, find, look, workOff } = rig;

const LOST_IN_A_ROW = 5;

async function reasonsOf({ projectId, requestId }: PaymentKey): Promise<readonly StoredAttempt["reasons"][]> {
  return (await listAttempts(db, projectId, requestId)).map(({ reasons }) => reasons);
}

/** Five payments were lost at it. */
async function aSilentProvider(code: string) {
  const clock = aHandClock();
  const fake = aFakeProvider(code, { ask: () => UNKNOWN, payin: () => UNKNOWN });
  const silent = watchConnector(fake, openProviderHealth(clock));
  const lost: PaymentKey[] = [];
  for (let count = 0; count < LOST_IN_A_ROW; count += 1) {
    lost.push(await aPayin([silent]));
    await workOff();
  }
  // They are looked at when a test says so: a repeat of one of them would try the provider too.
  await db.run({ text: "update payments set due_at = null where due_at is not null" });
  return { clock, fake, silent, lost };
}

it("a provider that does not answer is passed over or waited for, and one payment tries it again", async () => {
  const { clock, fake, silent } = await aSilentProvider("silent");
  const other = aFakeProvider("other");
  const both = await aPayin([silent, other]);
  const alone = await aPayin([silent]);
  const behind = await aPayin([silent]);
  await workOff();
  expect(await find(both)).toMatchObject({ state: "processing:awaiting_confirm", provider: "other" });
  expect(await reasonsOf(both)).toEqual([
    [
      ["silent", "its breaker is open"],
      ["other", "taken"],
    ],
  ]);
  expect([await find(alone), await find(behind)]).toMatchObject([
    { state: "processing:new", attemptCount: 0 },
    { state: "processing:new", attemptCount: 0 },
  ]);
  clock.pass(5_000);
  // The one that tries it is lost too: the other one still waits.
  expect(await look(alone)).toMatchObject({ state: "processing:requisites", provider: "silent" });
  expect(await look(behind)).toMatchObject({ state: "processing:new", attemptCount: 0 });
  clock.pass(15_000);
  fake.answers.ask = () => ISSUED;
  expect(await look(behind)).toMatchObject({ state: "processing:awaiting_confirm", provider: "silent" });
  expect(await reasonsOf(behind)).toEqual([null]);
});

it("payments that a silent provider has are asked about now and then, and otherwise as they were", async () => {
  const { clock, fake, lost } = await aSilentProvider("quiet");
  clock.pass(1_000);
  const [first, second] = lost;
  if (first === undefined || second === undefined) throw new Error("no payment was lost");
  const before = fake.countOf("ask");
  await look(first);
  expect(fake.countOf("ask")).toBe(before + 1);
  const { tries } = await find(second);
  const after = await look(second);
  expect(fake.countOf("ask")).toBe(before + 1);
  expect(after).toMatchObject({ state: "processing:requisites", tries });
});

it("a payout waits for a silent provider, and is never sent there", async () => {
  const clock = aHandClock();
  const fake = aFakeProvider("mute", { send: () => UNKNOWN, payout: () => UNKNOWN });
  const mute = watchConnector(fake, openProviderHealth(clock));
  for (let count = 0; count < LOST_IN_A_ROW; count += 1) {
    await aPayout([mute]);
    await workOff();
  }
  const waiting = await aPayout([mute]);
  await workOff();
  expect(await find(waiting)).toMatchObject({ state: "processing:new", attemptCount: 0 });
  expect(fake.countOf("send")).toBe(LOST_IN_A_ROW);
  clock.pass(5_000);
  fake.answers.send = () => APPROVED;
  expect(await look(waiting)).toMatchObject({ state: "success", provider: "mute" });
});

it("a payout to a card goes by the country and the bank of the card, and the attempt says so without its digits", async () => {
  const first = aFakeProvider("first", { send: () => APPROVED });
  const second = aFakeProvider("second", { send: () => APPROVED });
  const rules = "first[country=KZ],second[country=RU bank=example-bank]";
  const unknown = await aPayout([first, second], { rules });
  await workOff();
  expect(await find(unknown)).toMatchObject({ state: "decline", attemptCount: 0 });
  await db.transaction((tx) => mergeBanks(tx, [{ name: "Example Bank", sbpCode: "000000000000", countryCode: "RU" }]));
  expect(await importBins(db, "prefix,country,bank\n424242,RU,example-bank\n")).toMatchObject({ ok: true });
  const known = await aPayout([first, second], { rules });
  await workOff();
  expect(await find(known)).toMatchObject({ state: "success", provider: "second" });
  expect(await reasonsOf(known)).toEqual([
    [
      ["first", "the country is RU, not KZ"],
      ["second", "taken"],
    ],
  ]);
  expect([first.asked, second.countOf("send")]).toEqual([[], 1]);
});

it("payments by weight go where the order of the route says", async () => {
  const providers = [aFakeProvider("one"), aFakeProvider("two")];
  const rules = "one*3+two*1";
  const route = parseRoute(rules);
  for (const paymentId of ["order-1", "order-2", "order-3"]) {
    const name = await aPayin(providers, { rules, paymentId });
    await workOff();
    const first = orderEntries(route.ok ? route.value : [], paymentId)[0];
    expect((await find(name)).provider).toBe(first?.provider);
    expect(await reasonsOf(name)).toEqual([[[first?.provider, `taken, by weight ${first?.weight} of 4`]]]);
  }
});
