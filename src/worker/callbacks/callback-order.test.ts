import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { newId } from "../../platform/new-id.ts";
import { ATTEMPTS_OF_CALLBACK } from "../../store/callbacks/callback-attempts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ACCEPT, type ReceivedCallback } from "../../testing/http/callback-receiver.ts";
import { eventually, LIFE, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

const QUICK = { delaysS: Array(200).fill(0.02) as number[] };

/** Fails when something is sent before all that comes before it was taken. */
function openOrderGuard() {
  const taken = new Map<string, Set<number>>();
  const faults: string[] = [];
  return {
    faults,
    judge: ({ body }: ReceivedCallback, accept: boolean): void => {
      const { request_id } = body.general;
      const sequences = taken.get(request_id) ?? new Set();
      taken.set(request_id, sequences);
      const { sequence } = body.event;
      for (let earlier = 2; earlier < sequence; earlier += 1) {
        if (!sequences.has(earlier)) faults.push(`${request_id}: ${sequence} before ${earlier}`);
      }
      if (accept) sequences.add(sequence);
    },
  };
}

async function pendingOf({ projectId }: Shop) {
  return (await rig.callbacksOf(projectId)).filter(({ state }) => state === "pending");
}

function untilDelivered(shop: Shop) {
  return eventually(async () => expect(await pendingOf(shop)).toEqual([]));
}

async function callbackOf({ projectId }: Shop, requestId: Id, sequence: number) {
  const callbacks = await rig.callbacksOf(projectId);
  const found = callbacks.find((each) => each.requestId === requestId && each.sequence === sequence);
  if (found === undefined) throw new Error("there is no such callback");
  return found;
}

describe("callbacks of one payment", () => {
  it("go in their order while every second one fails, from one process or from two", async () => {
    const guard = openOrderGuard();
    const receiver = await rig.receiver((received) => {
      const accept = Math.random() < 0.5;
      guard.judge(received, accept);
      return { status: accept ? 200 : 404 };
    });
    const shop = await rig.shop(receiver);
    const payments = Array.from({ length: 60 }, () => ({ requestId: newId(), states: LIFE }));
    const elsewhere = database.openAnother();
    rig.run({ schedule: QUICK });
    const other = rig.run({ schedule: QUICK, db: elsewhere });
    // Some are there together, and some come while those before them are under way.
    await rig.tell(shop, payments.slice(0, 30));
    await Promise.all(
      payments.slice(30).map(async ({ requestId, states }) => {
        for (const [index, state] of states.entries()) {
          await rig.tell(shop, [{ requestId, states: [state], firstSequence: index + 2 }]);
        }
      }),
    );
    await untilDelivered(shop);
    expect(guard.faults).toEqual([]);
    for (const { requestId } of payments) expect(new Set(receiver.sequencesOf(requestId)).size).toBe(LIFE.length);
    await other.stop();
    await elsewhere.close();
  });

  it("go on one after another as they come, though the first is still on its way", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const receiver = await rig.receiver(async () => {
      await held;
      return { status: 200 };
    });
    const shop = await rig.shop(receiver);
    const requestId = newId();
    rig.run();
    await rig.tell(shop, [{ requestId, states: ["processing:requisites"] }]);
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2]));
    await rig.tell(shop, [{ requestId, states: LIFE.slice(1), firstSequence: 3 }]);
    // They are taken, and kept here until it is their turn.
    await eventually(async () => {
      const callbacks = await rig.callbacksOf(shop.projectId);
      expect(callbacks.map(({ leased }) => leased)).toEqual([true, true, true, true]);
    });
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
    release();
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 3, 4, 5]);
    const attempts = await db.run({
      text: `select t.number from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t where c.project_id = $1`,
      values: [shop.projectId],
    });
    expect(attempts).toHaveLength(4);
  });

  it("to another URL do not wait for each other", async () => {
    const receiver = await rig.receiver(({ path }) => ({ status: path === "/success" ? 200 : 500 }));
    const shop = await rig.shop(receiver);
    const requestId = newId();
    rig.run();
    await rig.tell(shop, [{ requestId, states: LIFE.slice(0, 3) }]);
    await rig.tell(shop, [{ requestId, states: ["success"], firstSequence: 5, url: `${receiver.url}/success` }]);
    await eventually(async () => expect((await callbackOf(shop, requestId, 5)).state).toBe("delivered"));
    expect(receiver.sequencesOf(requestId).filter((sequence) => sequence > 2)).toEqual([5]);
  });

  it("follow when the one before them is given up", async () => {
    const receiver = await rig.receiver(({ body }) => ({ status: body.event.sequence === 2 ? 404 : 200 }));
    const shop = await rig.shop(receiver);
    const requestId = newId();
    rig.run({ schedule: { delaysS: [0.02, 0.02] } });
    await rig.tell(shop, [{ requestId, states: LIFE }]);
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 2, 2, 3, 4, 5]);
    expect((await callbackOf(shop, requestId, 2)).state).toBe("dead");
  });
});

describe("what waits for one that waits for hours", () => {
  /** The first asks for twelve hours of patience. */
  async function aPatientPayment(states: readonly PaymentState[]) {
    const receiver = await rig.receiver(({ body }) =>
      body.event.sequence === 2 ? { status: 503, headers: { "retry-after": "43200" } } : { status: 200 },
    );
    const shop = await rig.shop(receiver);
    const requestId = newId();
    rig.run();
    await rig.tell(shop, [{ requestId, states: ["processing:requisites"] }]);
    await eventually(async () => expect((await callbackOf(shop, requestId, 2)).attemptCount).toBe(1));
    await rig.tell(shop, [{ requestId, states, firstSequence: 3 }]);
    return { receiver, shop, requestId };
  }

  /** Taken, found not to be in its turn, and given back. */
  async function queuedBehind(shop: Shop, requestId: Id, sequence: number) {
    return eventually(async () => {
      const callback = await callbackOf(shop, requestId, sequence);
      expect(callback.leased).toBe(false);
      expect(callback.dueInS).toBeGreaterThan(10);
      return callback;
    });
  }

  it("is due together with it, and is not looked at every few seconds until then", async () => {
    const { receiver, shop, requestId } = await aPatientPayment(["processing:awaiting_confirm", "processing:paid"]);
    for (const sequence of [3, 4]) {
      const { dueInS } = await queuedBehind(shop, requestId, sequence);
      expect(dueInS).toBeGreaterThan(43_000);
    }
    receiver.answerWith(ACCEPT);
    await rig.moveClock(shop, 43_200);
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 2, 3, 4]);
  });

  it("goes ahead after 15 minutes if it is final, and the earlier ones still follow", async () => {
    const { receiver, shop, requestId } = await aPatientPayment(["processing:paid", "success"]);
    const { dueInS } = await queuedBehind(shop, requestId, 4);
    expect(dueInS).toBeLessThanOrEqual(900);
    expect(dueInS).toBeGreaterThan(800);
    await rig.moveClock(shop, 800);
    expect((await callbackOf(shop, requestId, 4)).attemptCount).toBe(0);
    await rig.moveClock(shop, 100);
    await eventually(async () => expect((await callbackOf(shop, requestId, 4)).state).toBe("delivered"));
    expect(receiver.sequencesOf(requestId)).toEqual([2, 4]);
    receiver.answerWith(ACCEPT);
    await rig.moveClock(shop, 43_200);
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 4, 2, 3]);
  });

  it("goes ahead though the earlier one is retried again and again, and keeps to its own retries after that", async () => {
    const receiver = await rig.receiver(() => ({ status: 404 }));
    const shop = await rig.shop(receiver);
    const requestId = newId();
    rig.run();
    await rig.tell(shop, [{ requestId, states: ["processing:requisites", "decline"] }]);
    await eventually(async () => expect((await callbackOf(shop, requestId, 2)).attemptCount).toBe(1));
    await rig.moveClock(shop, 900);
    await eventually(async () => expect((await callbackOf(shop, requestId, 3)).attemptCount).toBe(1));
    const final = await callbackOf(shop, requestId, 3);
    expect(final.dueInS).toBeLessThanOrEqual(6);
    receiver.answerWith(ACCEPT);
    await rig.moveClock(shop, 900);
    await untilDelivered(shop);
  });
});

describe("an outage of a day", () => {
  it("ends with everything delivered, each payment's in its order", { timeout: 240_000 }, async () => {
    const guard = openOrderGuard();
    const receiver = await rig.receiver((received) => {
      guard.judge(received, false);
      return { status: 503 };
    });
    const shop = await rig.shop(receiver);
    const payments = Array.from({ length: 40 }, () => newId());
    const runner = rig.run();

    /** Each hour something is tried, or nothing is due. */
    async function passHours(hours: number): Promise<void> {
      for (let hour = 0; hour < hours; hour += 1) {
        const { failed } = runner.figures();
        await rig.moveClock(shop, 3_600);
        await eventually(async () => {
          const due = (await pendingOf(shop)).filter(({ dueInS }) => (dueInS ?? 0) <= 0);
          expect(runner.figures().failed > failed || due.length === 0).toBe(true);
        });
      }
    }

    // Each part of the day brings something new of every payment. A final one may overtake after 15 minutes: none here.
    const day: readonly PaymentState[] = [...LIFE.slice(0, 3), "dispute:confirm_timeout"];
    for (const [index, state] of day.entries()) {
      const told = payments.map((requestId) => ({ requestId, states: [state], firstSequence: index + 2 }));
      await rig.tell(shop, told);
      await passHours(6);
    }
    expect(await pendingOf(shop)).toHaveLength(payments.length * day.length);
    // What is under way when the clock moves fails, and is due again only after the end of the test.
    await eventually(async () => {
      const pending = await pendingOf(shop);
      const firsts = pending.filter(({ requestId }, at) => pending[at - 1]?.requestId !== requestId);
      expect(pending.filter(({ leased }) => leased)).toEqual([]);
      const due = firsts.filter(({ dueInS }) => (dueInS ?? 0) <= 0);
      // On a busy machine the breaker opens before all were tried, and then lets one through now and then. Moved time closes it.
      if (due.length > 0) await rig.moveClock(shop, 1);
      expect(due).toEqual([]);
    });
    receiver.answerWith((received) => {
      guard.judge(received, true);
      return { status: 200 };
    });
    await rig.moveClock(shop, 12 * 3_600);
    await untilDelivered(shop);
    expect(guard.faults).toEqual([]);
    for (const requestId of payments) expect(new Set(receiver.sequencesOf(requestId)).size).toBe(day.length);
  });
});
