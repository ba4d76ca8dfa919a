import { describe, expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { endCallbacks } from "../../store/callbacks/callback-ends.ts";
import { type ClaimedCallback, claimCallbacks } from "../../store/callbacks/callback-queue.ts";
import { disableCallbackUrls, enableCallbackUrl } from "../../store/callbacks/disabled-callback-urls.ts";
import type { Database } from "../../store/db.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { HANG } from "../../testing/http/callback-receiver.ts";
import { eventually, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

async function tellOne(shop: Shop) {
  const requestId = newId();
  await rig.tell(shop, [{ requestId, states: ["processing:requisites"] }]);
  return requestId;
}

/** As a process does that dies right after, or is stopped for a while. */
async function claim(shop: Shop, leaseS: number): Promise<ClaimedCallback> {
  const wanted = { projectId: shop.projectId, origin: new URL(shop.url).origin, countMax: 1 };
  const [claimed] = await claimCallbacks(db, [wanted], leaseS);
  if (claimed === undefined) throw new Error("nothing was due");
  return claimed;
}

async function statesOf({ projectId }: Shop) {
  return (await rig.callbacksOf(projectId)).map(({ state }) => state);
}

/** Once this one is delivered, the runner has looked at everything that was due before it. */
async function untilLooked(): Promise<void> {
  const shop = await rig.shop(await rig.receiver());
  await tellOne(shop);
  await eventually(async () => expect(await statesOf(shop)).toEqual(["delivered"]));
}

describe("a callback whose process died", () => {
  it("is left alone while its lease lasts, and then sent by another", async () => {
    const receiver = await rig.receiver();
    const [dead, overdue] = [await rig.shop(receiver), await rig.shop(receiver)];
    const [kept, taken] = [await tellOne(dead), await tellOne(overdue)];
    await claim(dead, 600);
    await claim(overdue, 1);
    rig.run();
    await eventually(() => expect(receiver.sequencesOf(taken)).toEqual([2]));
    expect(receiver.sequencesOf(kept)).toEqual([]);
  });

  it("is not changed by it any more, should it come back", async () => {
    const { receiver, release } = await rig.holdingReceiver();
    const shop = await rig.shop(receiver);
    const requestId = await tellOne(shop);
    const stale = await claim(shop, 0);
    rig.run();
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
    // It would be due at once, and be sent a second time while the first is still on its way.
    const end = { ...stale, attemptCount: 1, state: "pending" as const, dueInMs: 0 };
    expect(await db.transaction((tx) => endCallbacks(tx, [end]))).toEqual(new Set());
    await untilLooked();
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
    release();
    await eventually(async () => expect(await statesOf(shop)).toEqual(["delivered"]));
    expect(await db.transaction((tx) => endCallbacks(tx, [end]))).toEqual(new Set());
    expect(await statesOf(shop)).toEqual(["delivered"]);
  });
});

describe("a callback that is on its way is not sent a second time", () => {
  it("when the clock of its project is moved", async () => {
    const { receiver, release } = await rig.holdingReceiver();
    const shop = await rig.shop(receiver);
    const requestId = await tellOne(shop);
    rig.run();
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
    await rig.moveClock(shop, 10_000);
    await untilLooked();
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
    release();
    await eventually(async () => expect(await statesOf(shop)).toEqual(["delivered"]));
  });

  it("when its URL is enabled", async () => {
    const { receiver, release } = await rig.holdingReceiver();
    const shop = await rig.shop(receiver);
    const requestId = await tellOne(shop);
    rig.run();
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
    const { projectId, url } = shop;
    await disableCallbackUrls(db, [{ projectId, url }]);
    expect(await db.transaction((tx) => enableCallbackUrl(tx, projectId, url, "operator"))).toBe(true);
    await untilLooked();
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
    release();
    await eventually(async () => expect(await statesOf(shop)).toEqual(["delivered"]));
  });
});

it("a delivery is written down though the database cannot take it at first, and not made again", {
  timeout: 60_000,
}, async () => {
  const { receiver, release } = await rig.holdingReceiver();
  const shop = await rig.shop(receiver);
  const requestId = await tellOne(shop);
  rig.run();
  await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
  const notedYet = () => rig.logLines().filter((line) => line.includes("could not be noted yet")).length;
  const before = notedYet();
  // Somebody holds the row for longer than the runner waits for a lock.
  await db.transaction(async (tx) => {
    await tx.run({ text: "select from callbacks where request_id = $1 for update", values: [requestId] });
    release();
    await eventually(() => expect(notedYet()).toBeGreaterThan(before));
  });
  await eventually(async () => expect(await statesOf(shop)).toEqual(["delivered"]));
  expect(receiver.sequencesOf(requestId)).toEqual([2]);
});

describe("a runner that is stopped", () => {
  it("gives back at once what it holds, for others to send", { timeout: 240_000 }, async () => {
    const receiver = await rig.receiver(HANG);
    const shop = await rig.shop(receiver);
    for (let count = 0; count < 60; count += 1) await tellOne(shop);
    const stopped = rig.run();
    await eventually(() => expect(receiver.received.length).toBe(32));
    await stopped.stop();
    const callbacks = await rig.callbacksOf(shop.projectId);
    expect(callbacks.every(({ leased, attemptCount }) => !leased && attemptCount === 0)).toBe(true);
    expect(Math.max(...callbacks.map(({ dueInS }) => dueInS ?? 0))).toBeLessThanOrEqual(1);
    receiver.answerWith(() => ({ status: 200 }));
    rig.run();
    await eventually(async () => expect(new Set(await statesOf(shop))).toEqual(new Set(["delivered"])));
  });

  it("loses nothing, however often that happens in the middle of its work", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const requestIds = Array.from({ length: 400 }, () => newId());
    await rig.tell(
      shop,
      requestIds.map((requestId) => ({ requestId, states: ["processing:requisites", "processing:awaiting_confirm"] })),
    );
    for (let turn = 0; turn < 4; turn += 1) {
      const seen = receiver.received.length;
      const runner = rig.run();
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(seen));
      await runner.stop();
    }
    rig.run();
    await eventually(async () => expect(new Set(await statesOf(shop))).toEqual(new Set(["delivered"])));
    for (const requestId of requestIds) expect(receiver.sequencesOf(requestId)).toEqual([2, 3]);
  });
});

it("a connection on which nobody can listen is not left behind", async () => {
  const { listenTo } = await import("../../store/processes/listen.ts");
  const { openLog } = await import("../../platform/log.ts");
  const lines: string[] = [];
  const log = openLog({ level: "warn", destination: { write: (line) => lines.push(line) } });
  let attempts = 0;
  // A transaction that failed refuses everything, LISTEN too.
  const broken: Database = {
    ...db,
    connect: async () => {
      attempts += 1;
      const client = await db.connect();
      await client.query("set application_name = 'deaf'");
      await client.query("begin");
      await client.query("select 1 / 0").catch(() => undefined);
      return client;
    },
  };
  const listening = listenTo({ db: broken, log }, "tillgate_callbacks", () => undefined);
  await eventually(() => expect(attempts).toBeGreaterThanOrEqual(3));
  await listening.close();
  expect(lines).toHaveLength(1);
  await eventually(async () => {
    const open = await db.run({ text: "select from pg_stat_activity where application_name = 'deaf'" });
    expect(open).toHaveLength(0);
  });
});
