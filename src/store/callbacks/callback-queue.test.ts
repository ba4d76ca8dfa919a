import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { callbacksFor, paymentOf, useCallbackRig } from "../../testing/rigs/callback-rig.ts";
import { createPayins } from "../payments/create-payments.ts";
import { claimCallbacks, listWaitingEndpoints } from "./callback-queue.ts";
import { insertCallbacks } from "./callbacks.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

const HOUR_MS = 3_600_000;

it("lists each endpoint that something waits for once, with the time of what is due first", async () => {
  const receiver = await rig.receiver();
  const shops = [await rig.shop(receiver), await rig.shop(receiver)];
  const origins = ["https://a.example", "https://b.example:8443", "http://a.example"];
  const states = ["processing:requisites", "processing:awaiting_confirm"] as const;
  for (const shop of shops) {
    for (const origin of origins) {
      await rig.tell(shop, [
        { requestId: newId(), states, url: `${origin}/one` },
        { requestId: newId(), states, url: `${origin}/two?x=1` },
      ]);
    }
  }
  // Of the first project one endpoint has nothing left, and another only what is due in two hours and in one.
  await db.run({
    text: "update callbacks set state = 'dead', due_at = null where project_id = $1 and origin = $2",
    values: [shops[0]?.projectId, origins[0]],
  });
  await db.run({
    text: `update callbacks set due_at = now() + make_interval(hours => case when url like '%/two%' then 1 else 2 end)
            where project_id = $1 and origin = $2`,
    values: [shops[0]?.projectId, origins[1]],
  });
  const waiting = await listWaitingEndpoints(db, 100);
  const dueInMs = (shop: number, origin: number) =>
    waiting.find((each) => each.projectId === shops[shop]?.projectId && each.origin === origins[origin])?.dueInMs;
  expect(waiting).toHaveLength(5);
  expect(dueInMs(0, 0)).toBeUndefined();
  expect(dueInMs(0, 1)).toBeGreaterThan(HOUR_MS - 60_000);
  expect(dueInMs(0, 1)).toBeLessThanOrEqual(HOUR_MS);
  for (const due of [dueInMs(0, 2), dueInMs(1, 0), dueInMs(1, 1), dueInMs(1, 2)]) expect(due).toBeLessThanOrEqual(0);
});

it("many who claim at once get different callbacks, and together all of them", async () => {
  const shop = await rig.shop(await rig.receiver());
  const states = ["processing:requisites"] as const;
  await rig.tell(
    shop,
    Array.from({ length: 200 }, () => ({ requestId: newId(), states })),
  );
  const endpoint = { projectId: shop.projectId, origin: new URL(shop.url).origin };
  const claim = (countMax: number) => claimCallbacks(db, [{ ...endpoint, countMax }], 60);
  const claims = await Promise.all(Array.from({ length: 16 }, () => claim(30)));
  const ids = [...claims.flat(), ...(await claim(1_000))].map(({ id }) => id);
  expect(ids).toHaveLength(200);
  expect(new Set(ids).size).toBe(200);
  expect(claims.every((taken) => taken.length <= 30)).toBe(true);
});

it("one that is committed together with its payment while others claim is claimed whole", async () => {
  const { projectId, url } = await rig.shop(await rig.receiver());
  const COUNT = 600;
  let left = COUNT;
  async function commitSome(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const requestId = newId();
      await db.transaction(async (tx) => {
        await createPayins(tx, [paymentOf(projectId, requestId)]);
        await insertCallbacks(tx, callbacksFor(projectId, url, { requestId, states: ["processing:requisites"] }));
      });
    }
  }
  const committing = Promise.all(Array.from({ length: 4 }, commitSome));
  const ids = new Set<string>();
  for (let tries = 0; ids.size < COUNT && tries < 5_000; tries += 1) {
    const claimed = await claimCallbacks(db, [{ projectId, origin: new URL(url).origin, countMax: 50 }], 600);
    for (const { id } of claimed) ids.add(id);
    if (left === 0 && claimed.length === 0) await committing;
  }
  await committing;
  expect(ids.size).toBe(COUNT);
});

it("lists a page of each project, however many endpoints one of them has", async () => {
  await db.run({ text: "update callbacks set due_at = null" });
  const receiver = await rig.receiver();
  const shops = [await rig.shop(receiver), await rig.shop(receiver), await rig.shop(receiver)];
  const [, crowded] = shops.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1));
  const states = ["processing:requisites"] as const;
  for (const shop of shops) {
    const count = shop === crowded ? 300 : 3;
    await rig.tell(
      shop,
      Array.from({ length: count }, (_, index) => ({ requestId: newId(), states, url: `https://${index}.example/` })),
    );
  }
  const first = await listWaitingEndpoints(db, 50);
  const countOf = (projectId: string | undefined) => first.filter((each) => each.projectId === projectId).length;
  expect(shops.map(({ projectId }) => countOf(projectId)).toSorted((a, b) => a - b)).toEqual([3, 3, 50]);
  expect(countOf(crowded?.projectId)).toBe(50);
});
