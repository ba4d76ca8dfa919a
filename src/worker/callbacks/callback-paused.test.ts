import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { eventually, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

/** While a restored backup is not checked no callback is sent, neither from the queue nor from memory. */
const database = useTestDatabase();
const rig = useCallbackRig(database);
const FIRST = ["processing:requisites"] as const;

it("what is due waits, without an attempt, and is sent when the pause ends", async () => {
  const receiver = await rig.receiver();
  const shop = await rig.shop(receiver);
  let paused = true;
  const runner = rig.run({ isPaused: () => paused });
  const [queued, handed] = [newId(), newId()];
  await rig.tell(shop, [{ requestId: queued, states: FIRST }]);
  await rig.tell(shop, [{ requestId: handed, states: FIRST }], { outbox: runner.outbox });
  // A callback that is not paused, of the same time, proves that there was time for the others.
  const other = await rig.receiver();
  const otherShop = await rig.shop(other);
  const unpaused = rig.run({ isPaused: () => false });
  await rig.tell(otherShop, [{ requestId: newId(), states: FIRST }], { outbox: unpaused.outbox });
  await eventually(async () => expect(other.received).toHaveLength(1));
  await unpaused.stop();
  paused = false;
  await eventually(async () => {
    const told = await rig.callbacksOf(shop.projectId);
    expect(told.map(({ state, attemptCount }) => [state, attemptCount])).toEqual([
      ["delivered", 1],
      ["delivered", 1],
    ]);
  });
  expect(receiver.received).toHaveLength(2);
});

it("what was taken before the pause is given back without an attempt", async () => {
  const { receiver, release } = await rig.holdingReceiver();
  const shop = await rig.shop(receiver);
  let paused = false;
  rig.run({ isPaused: () => paused });
  const requestId = newId();
  // The second waits in memory for the first.
  await rig.tell(shop, [{ requestId, states: ["processing:requisites", "processing:awaiting_confirm"] }]);
  await eventually(async () => expect(receiver.received).toHaveLength(1));
  paused = true;
  release();
  await eventually(async () => {
    const [first, second] = await rig.callbacksOf(shop.projectId);
    expect(first).toMatchObject({ state: "delivered" });
    expect(second).toMatchObject({ state: "pending", attemptCount: 0, leased: false });
  });
  paused = false;
  await eventually(async () => expect(receiver.received).toHaveLength(2));
});
