import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { type DatabaseLine, openDatabaseLine } from "../../testing/database/database-line.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { eventually, useCallbackRig } from "../../testing/rigs/callback-rig.ts";
import { longIt } from "../../testing/run/run-form.ts";

/** Two processes that deliver callbacks lose their database while callbacks are on their way. */
const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);
let own: DatabaseLine;
let others: DatabaseLine;

beforeAll(async () => {
  own = await openDatabaseLine(db);
  others = await openDatabaseLine(db);
});
afterAll(async () => {
  await own.close();
  await others.close();
});

/** All of them are sent at once. */
const COUNT = 32;
const LEASE_S = 3;

longIt("what was delivered meanwhile is not sent again when it is back, though its leases have ended", async () => {
  const { receiver, release } = await rig.holdingReceiver();
  const shop = await rig.shop(receiver);
  const ids = Array.from({ length: COUNT }, newId);
  const sender = rig.run({ db: own.db, leaseS: LEASE_S });
  await rig.tell(
    shop,
    ids.map((requestId) => ({ requestId, states: ["processing:requisites"] })),
  );
  const inFlight = () => ids.filter((id) => receiver.sequencesOf(id).length > 0).length;
  await eventually(() => expect(sender.figures().inFlight).toBe(inFlight()));
  await eventually(() => expect(inFlight()).toBe(COUNT));
  rig.run({ db: others.db, leaseS: LEASE_S });
  for (const line of [own, others]) line.cut();
  release();
  await sleep(LEASE_S * 1_000);
  others.mend();
  // The other process looks at the queue once a second, and finds that the leases have ended.
  await sleep(1_100);
  own.mend();
  await eventually(async () => {
    const states = (await rig.callbacksOf(shop.projectId)).map(({ state }) => state);
    expect(states).toEqual(ids.map(() => "delivered"));
  });
  expect(ids.map((id) => receiver.sequencesOf(id))).toEqual(ids.map(() => [2]));
  expect(rig.logLines().filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
