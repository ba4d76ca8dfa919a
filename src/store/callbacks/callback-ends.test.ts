import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { eventually, useCallbackRig } from "../../testing/rigs/callback-rig.ts";
import { type CallbackAttempt, insertCallbackAttempts, listCallbackAttempts } from "./callback-attempts.ts";
import { deliverCallbacks } from "./callback-ends.ts";
import { type ClaimedCallback, claimCallbacks } from "./callback-queue.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

const LOCK_WAIT_MS = 500;

async function aClaim(leaseS = 600, states = ["processing:requisites"] as const) {
  const shop = await rig.shop(await rig.receiver());
  await rig.tell(shop, [{ requestId: newId(), states }]);
  const wanted = { projectId: shop.projectId, origin: new URL(shop.url).origin, countMax: 1 };
  const [callback] = await claimCallbacks(db, [wanted], leaseS);
  if (callback === undefined) throw new Error("nothing was due");
  const claimAgain = () => claimCallbacks(db, [wanted], 600);
  return { shop, callback, claimAgain };
}

function firstOf({ projectId, id }: ClaimedCallback, latencyMs = 12): CallbackAttempt {
  const answer = Buffer.from("thanks");
  return { projectId, callbackId: id, number: 1, startedAt: new Date(), latencyMs, status: 201, failure: null, answer };
}

it("a first delivery keeps its attempt in the callback's row, however often it is written", async () => {
  const { shop, callback } = await aClaim();
  const attempt = firstOf(callback);
  const written = await deliverCallbacks(db, [{ callback, attempt }], LOCK_WAIT_MS);
  expect(written).toEqual({ ours: new Set([callback.id]), woken: 0 });
  expect(await rig.callbacksOf(shop.projectId)).toMatchObject([{ state: "delivered", attemptCount: 1, leased: false }]);
  const again = await deliverCallbacks(db, [{ callback, attempt: firstOf(callback, 99) }], LOCK_WAIT_MS);
  expect(again.ours.size).toBe(0);
  await insertCallbackAttempts(db, [firstOf(callback, 99)]);
  const { projectId: _project, callbackId: _callback, ...shown } = attempt;
  expect(await listCallbackAttempts(db, callback.projectId, callback.id)).toEqual([shown]);
});

it("a delivery whose lease another process has taken since changes nothing", async () => {
  const { shop, callback, claimAgain } = await aClaim(0.05);
  await eventually(async () => expect(await claimAgain()).toHaveLength(1));
  const { ours } = await deliverCallbacks(db, [{ callback, attempt: firstOf(callback) }], LOCK_WAIT_MS);
  expect(ours.size).toBe(0);
  expect(await rig.callbacksOf(shop.projectId)).toMatchObject([{ state: "pending", attemptCount: 0, leased: true }]);
});

it("of two that delivered at the first attempt, what was written first is shown", async () => {
  const { callback, claimAgain } = await aClaim(0.05);
  const [taken] = await eventually(async () => {
    const claimed = await claimAgain();
    expect(claimed).toHaveLength(1);
    return claimed;
  });
  if (taken === undefined) throw new Error("nothing was due");
  await insertCallbackAttempts(db, [firstOf(callback, 1)]);
  await deliverCallbacks(db, [{ callback: taken, attempt: firstOf(taken, 2) }], LOCK_WAIT_MS);
  const attempts = await listCallbackAttempts(db, callback.projectId, callback.id);
  expect(attempts).toMatchObject([{ number: 1, latencyMs: 1 }]);
});

it("a lease that is over and that no process has taken is still good", async () => {
  const { shop, callback } = await aClaim(0.001);
  await eventually(async () => expect((await rig.callbacksOf(shop.projectId))[0]?.leased).toBe(false));
  const written = await deliverCallbacks(db, [{ callback, attempt: firstOf(callback) }], LOCK_WAIT_MS);
  expect(written).toEqual({ ours: new Set([callback.id]), woken: 0 });
  expect(await rig.callbacksOf(shop.projectId)).toMatchObject([{ state: "delivered" }]);
});
