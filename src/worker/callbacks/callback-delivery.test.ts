import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { ATTEMPTS_OF_CALLBACK } from "../../store/callbacks/callback-attempts.ts";
import { enableCallbackUrl } from "../../store/callbacks/disabled-callback-urls.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ACCEPT, type Answer } from "../../testing/http/callback-receiver.ts";
import { eventually, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

function attemptsOf(callbackId: Id) {
  return db.run<{ number: number; status: number | null; failure: string | null; answer: Buffer | null }>({
    text: `select t.number, t.status, t.failure, t.answer, t.started_at as "startedAt", t.latency_ms as "latencyMs"
             from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t where c.id = $1 order by t.number`,
    values: [callbackId],
  });
}

async function onlyCallback(projectId: Id) {
  const [callback, ...others] = await rig.callbacksOf(projectId);
  if (callback === undefined || others.length > 0) throw new Error("there should be one callback");
  return callback;
}

/** One callback, tried once. */
async function tried(answer: Answer | "nothing", limits = {}) {
  const receiver = await rig.receiver(() => answer);
  const shop = await rig.shop(receiver);
  const beganMs = Date.now();
  rig.run({ limits });
  await rig.tell(shop, [{ requestId: newId(), states: ["processing:requisites"] }]);
  await eventually(async () => expect((await onlyCallback(shop.projectId)).attemptCount).toBe(1));
  const callback = await onlyCallback(shop.projectId);
  return { receiver, shop, callback, beganMs, attempts: await attemptsOf(callback.id) };
}

describe("an answer of", () => {
  it.each([200, 201, 202, 204, 299])("%i is a delivery, made once", async (status) => {
    const { receiver, callback, attempts } = await tried({ status });
    expect(callback).toMatchObject({ state: "delivered", dueInS: null, leased: false });
    expect(attempts).toMatchObject([{ number: 1, status, failure: null, answer: null }]);
    expect(receiver.received).toHaveLength(1);
  });

  it.each([301, 302, 307, 308])("%i is a failure, and nobody goes where it points", async (status) => {
    const elsewhere = await rig.receiver();
    const { callback, attempts } = await tried({ status, headers: { location: `${elsewhere.url}/callbacks` } });
    expect(callback).toMatchObject({ state: "pending", attemptCount: 1 });
    expect(attempts).toMatchObject([{ status, failure: null }]);
    expect(elsewhere.received).toHaveLength(0);
  });

  it.each([400, 404, 429, 500, 503])("%i is a failure, tried again in about 5 s", async (status) => {
    const { callback } = await tried({ status });
    expect(callback).toMatchObject({ state: "pending", attemptCount: 1, leased: false });
    expect(callback.dueInS).toBeLessThanOrEqual(6);
    expect(callback.dueInS).toBeGreaterThan(0);
  });

  it("nothing at all is a failure when its time is over", async () => {
    const { callback, attempts } = await tried("nothing", { totalTimeoutMs: 200 });
    expect(callback).toMatchObject({ state: "pending", attemptCount: 1 });
    expect(attempts).toMatchObject([{ status: null, failure: "timeout" }]);
  });
});

describe("an attempt is kept", () => {
  it("with its time, its status, how long it took, and the first 2 kB of what was said", async () => {
    const said = Buffer.alloc(5_000, "ä");
    const { beganMs, attempts } = await tried({ status: 500, body: said });
    expect(attempts).toMatchObject([{ number: 1, status: 500 }]);
    expect(attempts[0]?.answer).toEqual(said.subarray(0, 2_048));
    const { startedAt, latencyMs } = attempts[0] as unknown as { startedAt: Date; latencyMs: number };
    expect(startedAt.getTime()).toBeGreaterThanOrEqual(beganMs);
    expect(startedAt.getTime() + latencyMs).toBeLessThanOrEqual(Date.now() + 1);
  });

  it("and so is every other, under its number, with the same event each time", async () => {
    const receiver = await rig.receiver(() => ({ status: receiver.received.length < 3 ? 503 : 200 }));
    const shop = await rig.shop(receiver);
    rig.run({ schedule: { delaysS: [0.02, 0.02, 0.02] } });
    await rig.tell(shop, [{ requestId: newId(), states: ["processing:requisites"] }]);
    await eventually(async () => expect((await onlyCallback(shop.projectId)).state).toBe("delivered"));
    const callback = await onlyCallback(shop.projectId);
    expect(await attemptsOf(callback.id)).toMatchObject([
      { number: 1, status: 503 },
      { number: 2, status: 503 },
      { number: 3, status: 200 },
    ]);
    expect(receiver.received.map(({ body }) => body.event.id)).toEqual([callback.id, callback.id, callback.id]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([callback.id]));
  });
});

describe("Retry-After is honoured", () => {
  it.each([
    ["in seconds", () => "3600"],
    ["as a date", () => new Date(Date.now() + 3_600_000).toUTCString()],
  ])("%s", async (_form, header) => {
    const { callback } = await tried({ status: 503, headers: { "retry-after": header() } });
    expect(callback.dueInS).toBeGreaterThan(3_500);
    expect(callback.dueInS).toBeLessThanOrEqual(3_601);
  });

  it("but not on a success, and not when it asks for less", async () => {
    const { callback } = await tried({ status: 500, headers: { "retry-after": "0" } });
    expect(callback.dueInS).toBeGreaterThan(1);
  });
});

describe("a URL that says it is gone (410)", () => {
  it("gets nothing more, not even what was taken already, and all of it once it is enabled again", async () => {
    const receiver = await rig.receiver(({ path }) => ({ status: path === "/gone" ? 410 : 200 }));
    const shop = await rig.shop(receiver);
    const gone = `${receiver.url}/gone`;
    const payments = Array.from({ length: 200 }, () => ({
      requestId: newId(),
      states: ["processing:requisites", "processing:awaiting_confirm"] as const,
      url: gone,
    }));
    await rig.tell(shop, payments);
    rig.run();
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.every(({ dueInS, leased }) => (dueInS ?? 0) > 0 && !leased)).toBe(true);
    });
    // Those that were on their way when the first answer came, and no more.
    const sentAtFirst = receiver.received.length;
    expect(sentAtFirst).toBeLessThanOrEqual(32);
    // Another URL of the same server is not meant.
    const other = newId();
    await rig.tell(shop, [{ requestId: other, states: ["processing:requisites"] }]);
    await eventually(() => expect(receiver.sequencesOf(other)).toEqual([2]));
    // Later ones for the URL are not sent either.
    const late = newId();
    await rig.tell(shop, [{ requestId: late, states: ["processing:requisites"], url: gone }]);
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      const held = callbacks.find(({ requestId }) => requestId === late);
      expect(held).toMatchObject({ state: "pending", attemptCount: 0 });
      expect(held?.dueInS).toBeGreaterThan(3_000);
    });
    expect(receiver.received).toHaveLength(sentAtFirst + 1);

    receiver.answerWith(ACCEPT);
    expect(await db.transaction((tx) => enableCallbackUrl(tx, shop.projectId, gone, "operator"))).toBe(true);
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.filter(({ state }) => state !== "delivered")).toEqual([]);
    });
    for (const { requestId } of payments) expect(new Set(receiver.sequencesOf(requestId))).toEqual(new Set([2, 3]));
    expect(await db.transaction((tx) => enableCallbackUrl(tx, shop.projectId, gone, "operator"))).toBe(false);
  });

  it("is gone for its own project only", async () => {
    const receiver = await rig.receiver(() => ({ status: 410 }));
    const [mine, theirs] = [await rig.shop(receiver), await rig.shop(receiver)];
    rig.run();
    await rig.tell(mine, [{ requestId: newId(), states: ["processing:requisites"] }]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    receiver.answerWith(ACCEPT);
    const requestId = newId();
    await rig.tell(theirs, [{ requestId, states: ["processing:requisites"] }]);
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
  });

  it("is disabled by its last attempt too, and the callback is dead", async () => {
    const receiver = await rig.receiver(() => ({ status: 410 }));
    const shop = await rig.shop(receiver);
    rig.run({ schedule: { delaysS: [] } });
    await rig.tell(shop, [{ requestId: newId(), states: ["processing:requisites"] }]);
    await eventually(async () => expect((await onlyCallback(shop.projectId)).state).toBe("dead"));
    expect(await db.transaction((tx) => enableCallbackUrl(tx, shop.projectId, shop.url, "operator"))).toBe(true);
  });
});

it("a callback that cannot be made is reported, and ends as dead instead of being tried for ever", async () => {
  const receiver = await rig.receiver();
  const shop = await rig.shop(receiver);
  const requestId = newId();
  rig.run({ schedule: { delaysS: [0.02, 0.02] } });
  const damaged = "update payments set requisites = '\\x00' where request_id = $1";
  await rig.tell(shop, [{ requestId, states: [], firstSequence: 2 }]);
  await db.run({ text: damaged, values: [requestId] });
  await rig.tell(shop, [{ requestId, states: ["processing:awaiting_confirm", "success"], firstSequence: 3 }]);
  await eventually(async () => {
    const callbacks = await rig.callbacksOf(shop.projectId);
    expect(callbacks.map(({ state, attemptCount }) => [state, attemptCount])).toEqual([
      ["dead", 3],
      ["dead", 3],
    ]);
  });
  const [callback] = await rig.callbacksOf(shop.projectId);
  expect(await attemptsOf(callback?.id as Id)).toMatchObject(
    [1, 2, 3].map((number) => ({ number, status: null, failure: "not_sent" })),
  );
  expect(rig.logLines().some((line) => line.includes("could not be made") && line.includes(callback?.id ?? ""))).toBe(
    true,
  );
  expect(receiver.received).toHaveLength(0);
});

describe("the whole schedule, with the clock of a test project moved", () => {
  const DELAYS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200, 29_845];

  it("makes fifteen attempts, each due when the schedule says, and then the callback is dead", async () => {
    const receiver = await rig.receiver(() => ({ status: 500 }));
    const shop = await rig.shop(receiver);
    rig.run();
    await rig.tell(shop, [{ requestId: newId(), states: ["processing:requisites"] }]);
    for (const [index, delayS] of DELAYS_S.entries()) {
      await eventually(async () => expect((await onlyCallback(shop.projectId)).attemptCount).toBe(index + 1));
      const { state, dueInS, leased } = await onlyCallback(shop.projectId);
      expect({ state, leased }).toEqual({ state: "pending", leased: false });
      expect(dueInS).toBeLessThanOrEqual(delayS * 1.2);
      // Some of the time was spent looking.
      expect(dueInS).toBeGreaterThan(delayS * 0.8 - 4);
      await rig.moveClock(shop, Math.ceil(dueInS ?? 0));
    }
    await eventually(async () =>
      expect(await onlyCallback(shop.projectId)).toMatchObject({ state: "dead", attemptCount: 15, dueInS: null }),
    );
    await rig.moveClock(shop, 1_000_000);
    const marker = newId();
    await rig.tell(shop, [{ requestId: marker, states: ["processing:requisites"] }]);
    await eventually(() => expect(receiver.sequencesOf(marker)).toEqual([2]));
    expect(receiver.received).toHaveLength(16);
  });
});
