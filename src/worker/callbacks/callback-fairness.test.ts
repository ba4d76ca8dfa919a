import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { ATTEMPTS_OF_CALLBACK } from "../../store/callbacks/callback-attempts.ts";
import { disableCallbackUrls } from "../../store/callbacks/disabled-callback-urls.ts";
import type { Database } from "../../store/db.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ACCEPT, type CallbackReceiver, HANG } from "../../testing/http/callback-receiver.ts";
import { eventually, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

/** A hanging attempt takes this long: nothing that a test waits for may take as long, on however busy a machine. */
const PATIENT = { totalTimeoutMs: 28_000 };
/** Long beside a test: what failed is not tried again in it. */
const RARELY = { delaysS: [600, 600] };

function tellMany(shop: Shop, count: number, url?: string): Promise<void> {
  const payments = Array.from({ length: count }, () => ({
    requestId: newId(),
    states: ["processing:requisites"] as const,
    ...(url === undefined ? {} : { url }),
  }));
  return rig.tell(shop, payments);
}

async function countIn(projectId: Id, state: string): Promise<number> {
  return (await rig.callbacksOf(projectId)).filter((callback) => callback.state === state).length;
}

async function attemptCount(...shops: readonly Shop[]): Promise<number> {
  const rows = await db.run<{ count: number }>({
    text: `select count(*)::int as count from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t
            where c.project_id = any($1::uuid[])`,
    values: [shops.map(({ projectId }) => projectId)],
  });
  return rows[0]?.count ?? 0;
}

describe("an endpoint that hangs", () => {
  it("holds none of the others: 200 are delivered elsewhere before its first attempt ends", async () => {
    const bad = await Promise.all([1, 2, 3].map(async () => rig.shop(await rig.receiver(HANG))));
    const good = await rig.shop(await rig.receiver());
    for (const shop of bad) await tellMany(shop, 100);
    rig.run({ limits: PATIENT });
    await eventually(async () => {
      const leased = (await rig.callbacksOf(bad[0]?.projectId as Id)).filter((callback) => callback.leased);
      expect(leased.length).toBeGreaterThan(0);
    });
    await tellMany(good, 200);
    await eventually(async () => expect(await countIn(good.projectId, "delivered")).toBe(200));
    expect(await attemptCount(...bad)).toBe(0);
  });

  it("holds no more than its share of this process, so that the rest can be sent by others", async () => {
    const receiver = await rig.receiver(HANG);
    const shop = await rig.shop(receiver);
    await tellMany(shop, 100);
    rig.run({ limits: PATIENT });
    await eventually(() => expect(receiver.received).toHaveLength(32));
    const leased = (await rig.callbacksOf(shop.projectId)).filter((callback) => callback.leased);
    expect(leased).toHaveLength(32);
  });

  it("does not hold another project at the very same host", async () => {
    const receiver = await rig.receiver(({ path }) => (path === "/hang" ? "nothing" : { status: 200 }));
    const [mine, theirs] = [await rig.shop(receiver), await rig.shop(receiver)];
    rig.run({ limits: PATIENT });
    await tellMany(mine, 64, `${receiver.url}/hang`);
    await eventually(() => expect(receiver.received).toHaveLength(32));
    await tellMany(theirs, 50);
    await eventually(async () => expect(await countIn(theirs.projectId, "delivered")).toBe(50));
    expect(await attemptCount(mine)).toBe(0);
  });

  it("does not hold others though its project has three hundred of the kind", async () => {
    const hanging = await Promise.all(Array.from({ length: 300 }, () => rig.receiver(HANG)));
    const [mine, theirs] = [await rig.shop(await rig.receiver()), await rig.shop(await rig.receiver())];
    const states = ["processing:requisites", "processing:awaiting_confirm"] as const;
    await rig.tell(
      mine,
      hanging.map(({ url }) => ({ requestId: newId(), states, url: `${url}/callbacks` })),
    );
    rig.run({ limits: PATIENT });
    await eventually(() => expect(hanging.filter(({ received }) => received.length > 0).length).toBeGreaterThan(250));
    await tellMany(theirs, 50);
    await eventually(async () => expect(await countIn(theirs.projectId, "delivered")).toBe(50));
    expect(await attemptCount(mine)).toBe(0);
  });
});

it("a slow endpoint holds none of the others, and is delivered to in the end", async () => {
  const waiting: (() => void)[] = [];
  const slow = await rig.receiver(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return { status: 200 };
  });
  const [slowShop, quickShop] = [await rig.shop(slow), await rig.shop(await rig.receiver())];
  rig.run({ limits: PATIENT });
  await tellMany(slowShop, 40);
  await eventually(() => expect(waiting.length).toBe(32));
  await tellMany(quickShop, 200);
  await eventually(async () => expect(await countIn(quickShop.projectId, "delivered")).toBe(200));
  expect(await countIn(slowShop.projectId, "delivered")).toBe(0);
  await eventually(async () => {
    for (const resolve of waiting.splice(0)) resolve();
    expect(await countIn(slowShop.projectId, "delivered")).toBe(40);
  });
});

describe("a breaker", () => {
  /** Fails until it is open. */
  async function anOpenBreaker(breakerOpenMs: number) {
    let atOnce = 0;
    let atOnceMax = 0;
    let accept = false;
    const receiver: CallbackReceiver = await rig.receiver(async () => {
      atOnce += 1;
      atOnceMax = Math.max(atOnceMax, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce -= 1;
      return { status: accept ? 200 : 500 };
    });
    const shop = await rig.shop(receiver);
    const runner = rig.run({ schedule: RARELY, breakerOpenMs: [breakerOpenMs] });
    await tellMany(shop, 5);
    await eventually(() => expect(runner.figures()).toMatchObject({ openBreakers: 1, failed: 5 }));
    // An attempt is counted before it is written.
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.every(({ attemptCount, leased }) => attemptCount === 1 && !leased)).toBe(true);
    });
    return {
      receiver,
      shop,
      runner,
      forgetAtOnce: () => {
        atOnceMax = 0;
      },
      atOnceMax: () => atOnceMax,
      recover: () => {
        accept = true;
      },
    };
  }

  it("opens after five failures in a row, sends one probe at a time, and closes when one succeeds", async () => {
    const { receiver, shop, runner, forgetAtOnce, atOnceMax, recover } = await anOpenBreaker(100);
    forgetAtOnce();
    await tellMany(shop, 60);
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(8));
    expect(atOnceMax()).toBe(1);
    expect(runner.figures().openBreakers).toBe(1);
    const failed = receiver.received.length;
    recover();
    await eventually(async () =>
      expect(await countIn(shop.projectId, "delivered")).toBeGreaterThanOrEqual(65 - failed - 1),
    );
    expect(runner.figures().openBreakers).toBe(0);
  });

  it("is not stuck when its probe turns out to be for a URL that is gone", async () => {
    const { receiver, shop, recover } = await anOpenBreaker(300);
    const gone = `${receiver.url}/gone`;
    await disableCallbackUrls(db, [{ projectId: shop.projectId, url: gone }]);
    await tellMany(shop, 1, gone);
    // It was the only one due, so it was taken as the probe, and given back.
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.some(({ attemptCount, dueInS }) => attemptCount === 0 && (dueInS ?? 0) > 3_000)).toBe(true);
    });
    recover();
    await tellMany(shop, 3);
    await eventually(async () => expect(await countIn(shop.projectId, "delivered")).toBe(3));
  });

  it("is not stuck when its probe turns out to wait for its turn", async () => {
    const { shop, recover } = await anOpenBreaker(300);
    const [failing] = await rig.callbacksOf(shop.projectId);
    const requestId = failing?.requestId as Id;
    await rig.tell(shop, [{ requestId, states: ["processing:awaiting_confirm"], firstSequence: 3 }]);
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.find(({ sequence }) => sequence === 3)?.dueInS).toBeGreaterThan(100);
    });
    recover();
    await tellMany(shop, 3);
    await eventually(async () => expect(await countIn(shop.projectId, "delivered")).toBe(3));
  });

  it("does not hold back the rest of its host: it is the project's own", async () => {
    const { receiver, recover } = await anOpenBreaker(600_000);
    recover();
    const theirs = await rig.shop(receiver);
    await tellMany(theirs, 3);
    await eventually(async () => expect(await countIn(theirs.projectId, "delivered")).toBe(3));
  });

  it("forgets what it learned when the clock of the project is moved", async () => {
    const { shop, recover } = await anOpenBreaker(600_000);
    recover();
    await rig.moveClock(shop, 721);
    await eventually(async () => expect(await countIn(shop.projectId, "delivered")).toBe(5));
  });
});

describe("a runner that has nothing to do looks no more often than its poll", () => {
  /** The same connections, with a count of the looks. */
  function counting(): { db: Database; looks: () => number } {
    let looks = 0;
    const run: Database["run"] = (statement) => {
      if (statement.name === "list_waiting_endpoints") looks += 1;
      return db.run(statement);
    };
    return { db: { ...db, run }, looks: () => looks };
  }

  /** Fewer on a busy machine, never more. */
  async function looksInASecond(looks: () => number): Promise<number> {
    const before = looks();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return looks() - before;
  }

  it("when nothing waits", async () => {
    const counter = counting();
    rig.run({ db: counter.db });
    await eventually(() => expect(counter.looks()).toBeGreaterThan(0));
    expect(await looksInASecond(counter.looks)).toBeLessThanOrEqual(3);
  });

  it("while a probe hangs, and others are due behind it", async () => {
    const receiver = await rig.receiver(() => ({ status: 500 }));
    const shop = await rig.shop(receiver);
    const counter = counting();
    const runner = rig.run({ db: counter.db, schedule: RARELY, breakerOpenMs: [50], limits: PATIENT });
    await tellMany(shop, 5);
    await eventually(() => expect(runner.figures().openBreakers).toBe(1));
    receiver.answerWith(HANG);
    const sent = receiver.received.length;
    await tellMany(shop, 20);
    await eventually(() => expect(receiver.received.length).toBe(sent + 1));
    expect(await looksInASecond(counter.looks)).toBeLessThanOrEqual(3);
    receiver.answerWith(ACCEPT);
  });

  it("while one that waits for hours has others waiting behind it", async () => {
    const receiver = await rig.receiver(() => ({ status: 500 }));
    const shop = await rig.shop(receiver);
    const counter = counting();
    const runner = rig.run({ db: counter.db, schedule: RARELY });
    const requestId = newId();
    await rig.tell(shop, [{ requestId, states: ["processing:requisites"] }]);
    await eventually(() => expect(runner.figures().failed).toBe(1));
    const states = ["processing:awaiting_confirm", "processing:paid", "dispute:confirm_timeout"] as const;
    await rig.tell(shop, [{ requestId, states, firstSequence: 3 }]);
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.every(({ dueInS }) => (dueInS ?? 0) > 100)).toBe(true);
    });
    expect(await looksInASecond(counter.looks)).toBeLessThanOrEqual(3);
  });
});
