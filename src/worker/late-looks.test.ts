import { expect, it } from "vitest";
import type { PayinState } from "../core/connector.ts";
import { countUnknown } from "../store/attention/attention.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider, type FakeProvider, open, receipt, UNKNOWN } from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** After the end of a pay-in its provider is asked a few times more. The claim of such a look plans the next one. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, find, look, sumOf, workOff } = rig;

/** Ended so many seconds ago, and due now. */
async function aFinishedPayin(first: FakeProvider, endedS: number): Promise<PaymentKey> {
  const name = await aPayin([first]);
  await workOff();
  first.answers.payin = () => open(receipt("t", 1_000));
  expect(await look(name)).toMatchObject({ state: "success", releasedAt: expect.any(Date) });
  await db.run({
    text: "update payments set due_at = now(), finished_at = now() - make_interval(secs => $2) where request_id = $1",
    values: [name.requestId, endedS],
  });
  return name;
}

/** The row's version, which every write changes, and when it is due, counted from its end. */
async function rowOf({ requestId }: PaymentKey) {
  const [row] = await db.run<{ version: string; leased: boolean; dueS: number | null }>({
    text: `select xmin::text || ' ' || ctid::text as version, lease_until is not null as leased,
                  round(extract(epoch from due_at - finished_at))::int as "dueS"
             from payments where request_id = $1`,
    values: [requestId],
  });
  return row;
}

it("is one write, by the claim, where the provider has nothing new", async () => {
  const first = aFakeProvider("first");
  const name = await aFinishedPayin(first, 31);
  const held = heldBack<PayinState>();
  first.answers.payin = held.answer;
  const worker = rig.startWorker();
  await held.asked;
  const during = await rowOf(name);
  expect(during).toMatchObject({ leased: false, dueS: 300 });
  held.letGo(open(receipt("t", 1_000)));
  await worker.stop();
  expect(await rowOf(name)).toEqual(during);
});

it("writes down that the provider did not answer, and the next look holds the lease", async () => {
  const first = aFakeProvider("first");
  const name = await aFinishedPayin(first, 301);
  first.answers.payin = () => UNKNOWN;
  await workOff();
  expect((await find(name)).unknownSince).not.toBeNull();
  // Soon, not at the next late look: until then a payment that succeeded stands in `attention`.
  const [{ dueS } = { dueS: 0 }] = await db.run<{ dueS: number }>({
    text: 'select extract(epoch from due_at - now())::float8 as "dueS" from payments where request_id = $1',
    values: [name.requestId],
  });
  expect(dueS).toBeLessThanOrEqual(10);
  expect(await countUnknown(db)).toMatchObject([{ count: 1 }]);
  const held = heldBack<PayinState>();
  first.answers.payin = held.answer;
  await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [name.requestId] });
  const worker = rig.startWorker();
  await held.asked;
  expect(await rowOf(name)).toMatchObject({ leased: true });
  held.letGo(open(receipt("t", 1_000)));
  await worker.stop();
  expect((await find(name)).unknownSince).toBeNull();
  expect(await countUnknown(db)).toEqual([]);
});

it("counts money that came late, and still plans the next look", async () => {
  const first = aFakeProvider("first");
  const name = await aFinishedPayin(first, 31);
  first.answers.payin = () => open(receipt("t", 1_000), receipt("more", 500));
  await workOff();
  expect(await find(name)).toMatchObject({ state: "success", receivedAmount: 1_500n });
  expect(await sumOf(name, "suspense")).toBe(500n);
  expect(await rowOf(name)).toMatchObject({ leased: false, dueS: 300 });
});

it("is the last one only when it was answered", async () => {
  const first = aFakeProvider("first");
  const name = await aFinishedPayin(first, 86_401);
  const held = heldBack<PayinState>();
  first.answers.payin = held.answer;
  const worker = rig.startWorker();
  await held.asked;
  expect(await rowOf(name)).toMatchObject({ leased: true });
  held.letGo(open(receipt("t", 1_000)));
  await worker.stop();
  expect(await rowOf(name)).toMatchObject({ leased: false, dueS: null });
});
