import { describe, expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import type { Id } from "../../core/ids.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { newId } from "../../platform/new-id.ts";
import { ATTEMPTS_OF_CALLBACK } from "../../store/callbacks/callback-attempts.ts";
import { disableCallbackUrls } from "../../store/callbacks/disabled-callback-urls.ts";
import type { Database } from "../../store/db.ts";
import { aPayinOf } from "../../testing/builders/callbacks.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { HANG } from "../../testing/http/callback-receiver.ts";
import { eventually, LIFE, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);

const [FIRST = "processing:requisites"] = LIFE;

/** A runner, and the names of the statements that it has made. */
function runSeen(options: Parameters<typeof rig.run>[0] = {}) {
  const statements: string[] = [];
  const seen: Database = {
    ...db,
    run: (statement) => {
      statements.push(statement.name ?? "");
      return db.run(statement);
    },
  };
  return {
    ...rig.run({ ...options, db: seen }),
    count: (name: string) => statements.filter((each) => each === name).length,
  };
}

async function untilDelivered({ projectId }: Shop): Promise<void> {
  await eventually(async () => {
    const states = (await rig.callbacksOf(projectId)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["delivered"]));
  });
}

function payments(count: number, states: readonly PaymentState[] = [FIRST]) {
  return Array.from({ length: count }, () => ({ requestId: newId(), states }));
}

async function attemptsOf(projectId: Id) {
  return db.run<{ number: number; status: number; own: boolean }>({
    text: `select t.number, t.status, exists (select from callback_attempts a where a.callback_id = c.id) as own
             from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t where c.project_id = $1 order by t.number`,
    values: [projectId],
  });
}

describe("a callback that this process commits", () => {
  it("is sent without a claim, and its delivery is one update and no row of attempts", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const runner = runSeen();
    await rig.tell(shop, payments(20), runner);
    await untilDelivered(shop);
    expect(receiver.received).toHaveLength(20);
    expect(runner.count("claim_callbacks")).toBe(0);
    expect(await attemptsOf(shop.projectId)).toEqual(Array(20).fill({ number: 1, status: 200, own: false }));
  });

  it("is the same when a payment's change writes it, callback by callback in order", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { outbox, count } = runSeen();
    const apply = openApplyPayments(db, outbox);
    const requestId = await aPayinOf(db, shop.projectId);
    const key = { projectId: shop.projectId, requestId, actor: "test" };
    for (const kind of ["submitted", "cancelled"] as const) {
      expect(await apply({ ...key, payin: { kind } })).toMatchObject({ ok: true });
    }
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 3]);
    expect(count("claim_callbacks")).toBe(0);
  });

  it("is not sent when the transaction fails, and keeps no place then", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { outbox, count } = runSeen();
    const fails = async () => {
      throw new Error("it is rolled back");
    };
    for (let times = 0; times < 2; times += 1) {
      await expect(rig.tell(shop, payments(32), { outbox, beforeCommit: fails })).rejects.toThrow("rolled back");
    }
    await rig.tell(shop, payments(32), { outbox });
    await untilDelivered(shop);
    expect(receiver.received).toHaveLength(32);
    expect(count("claim_callbacks")).toBe(0);
  });

  it("is not sent when a payment's change is not certainly committed", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { outbox } = runSeen();
    const requestId = await aPayinOf(db, shop.projectId);
    const lost: Database = {
      ...db,
      transaction: (work, ...how) =>
        db.transaction(
          async (tx) => {
            await work(tx);
            throw new Error("the answer to the commit is lost");
          },
          ...how,
        ),
    };
    const event = { projectId: shop.projectId, requestId, actor: "test", payin: { kind: "submitted" } } as const;
    await expect(openApplyPayments(lost, outbox)(event)).rejects.toThrow("lost");
    // What comes after it is sent, so that it would have been, too.
    expect(await openApplyPayments(db, outbox)(event)).toMatchObject({ ok: true });
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
  });

  it("is sent by another process when this one dies after the commit, once its lease is over", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const dying = rig.run({ leaseS: 1 });
    await rig.tell(shop, payments(3), { outbox: dying.outbox, dies: true });
    const kept = await rig.callbacksOf(shop.projectId);
    expect(kept).toMatchObject(Array(3).fill({ state: "pending", leased: true, attemptCount: 0 }));
    await untilDelivered(shop);
    expect(receiver.received).toHaveLength(3);
  });

  it("fails like any other: the attempt has its own row, and the queue tries it again", async () => {
    const receiver = await rig.receiver(() => ({ status: receiver.received.length < 2 ? 500 : 200 }));
    const shop = await rig.shop(receiver);
    const { outbox } = rig.run({ schedule: { delaysS: [0.02] } });
    await rig.tell(shop, payments(1), { outbox });
    await untilDelivered(shop);
    expect(await attemptsOf(shop.projectId)).toEqual([
      { number: 1, status: 500, own: true },
      { number: 2, status: 200, own: true },
    ]);
  });

  it("is not sent to a URL that is disabled", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    await db.transaction((tx) => disableCallbackUrls(tx, [shop]));
    const { outbox } = rig.run();
    await rig.tell(shop, payments(1), { outbox });
    await eventually(async () => {
      const [callback] = await rig.callbacksOf(shop.projectId);
      expect(callback).toMatchObject({ state: "pending", leased: false });
      expect(callback?.dueInS).toBeGreaterThan(3_000);
    });
    expect(receiver.received).toHaveLength(0);
  });
});

describe("the order of a payment's callbacks", () => {
  it("holds among those of one commit, and those of many", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { outbox, count } = runSeen();
    const together = newId();
    await rig.tell(shop, [{ requestId: together, states: LIFE }], { outbox });
    const oneByOne = newId();
    for (const [index, state] of LIFE.entries()) {
      await rig.tell(shop, [{ requestId: oneByOne, states: [state], firstSequence: 2 + index }], { outbox });
    }
    await untilDelivered(shop);
    expect(receiver.sequencesOf(together)).toEqual([2, 3, 4, 5]);
    expect(receiver.sequencesOf(oneByOne)).toEqual([2, 3, 4, 5]);
    expect(count("claim_callbacks")).toBe(0);
  });

  it("is known to one that was written before the earlier one was delivered, and committed after that", async () => {
    const { receiver, release } = await rig.holdingReceiver();
    const shop = await rig.shop(receiver);
    const { outbox, count } = runSeen();
    const requestId = newId();
    await rig.tell(shop, [{ requestId, states: [FIRST] }], { outbox });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    const beforeCommit = async () => {
      release();
      await untilDelivered(shop);
    };
    await rig.tell(shop, [{ requestId, states: LIFE.slice(1, 2), firstSequence: 3 }], { outbox, beforeCommit });
    await eventually(() => expect(receiver.sequencesOf(requestId)).toEqual([2, 3]));
    release();
    await untilDelivered(shop);
    expect(count("claim_callbacks")).toBe(0);
  });

  it("holds while an earlier one is retried, though the later ones come from memory", async () => {
    const receiver = await rig.receiver(() => ({ status: receiver.received.length < 4 ? 404 : 200 }));
    const shop = await rig.shop(receiver);
    const { outbox } = rig.run({ schedule: { delaysS: [0.05, 0.05, 0.05, 0.05] } });
    const requestId = newId();
    for (const [index, state] of LIFE.entries()) {
      await rig.tell(shop, [{ requestId, states: [state], firstSequence: 2 + index }], { outbox });
    }
    await untilDelivered(shop);
    expect(receiver.sequencesOf(requestId)).toEqual([2, 2, 2, 2, 3, 4, 5]);
  });

  it("holds between processes: one that waits for another's goes back to the queue", async () => {
    const { receiver, release } = await rig.holdingReceiver();
    const shop = await rig.shop(receiver);
    const [one, other] = [rig.run(), rig.run()];
    const requestId = newId();
    await rig.tell(shop, [{ requestId, states: [FIRST] }], one);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await rig.tell(shop, [{ requestId, states: LIFE.slice(1, 2), firstSequence: 3 }], other);
    await eventually(async () => {
      const [, later] = await rig.callbacksOf(shop.projectId);
      expect(later).toMatchObject({ state: "pending", leased: false });
    });
    expect(receiver.sequencesOf(requestId)).toEqual([2]);
    release();
    await eventually(() => {
      release();
      expect(receiver.sequencesOf(requestId)).toEqual([2, 3]);
    });
    await untilDelivered(shop);
  });
});

describe("what there is no room for", () => {
  it("is due at once for any process: of a new endpoint that hangs all but 32", async () => {
    const receiver = await rig.receiver(HANG);
    const shop = await rig.shop(receiver);
    const { outbox } = rig.run({ limits: { totalTimeoutMs: 28_000 } });
    await rig.tell(shop, payments(100), { outbox });
    const leased = (await rig.callbacksOf(shop.projectId)).filter((callback) => callback.leased);
    expect(leased).toHaveLength(32);
    await eventually(() => expect(receiver.received).toHaveLength(32));
    // The next ones do not overtake those that wait.
    await rig.tell(shop, payments(1), { outbox });
    expect((await rig.callbacksOf(shop.projectId)).filter((callback) => callback.leased)).toHaveLength(32);
  });

  it("is everything while the endpoint's breaker is open", async () => {
    const receiver = await rig.receiver(() => ({ status: 500 }));
    const shop = await rig.shop(receiver);
    const { outbox, figures } = rig.run({ schedule: { delaysS: [600] } });
    await rig.tell(shop, payments(10), { outbox });
    await eventually(() => expect(figures().openBreakers).toBe(1));
    await rig.tell(shop, payments(1), { outbox });
    const late = (await rig.callbacksOf(shop.projectId)).at(-1);
    expect(late).toMatchObject({ state: "pending", leased: false, attemptCount: 0 });
  });
});

describe("a process that stops", () => {
  it("takes nothing more from memory, and gives back what was committed meanwhile", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { outbox, stop } = rig.run();
    let stopped: Promise<void> | undefined;
    const beforeCommit = async () => {
      stopped = stop();
    };
    await rig.tell(shop, payments(2), { outbox, beforeCommit });
    await stopped;
    await rig.tell(shop, payments(2), { outbox });
    expect(await rig.callbacksOf(shop.projectId)).toMatchObject(
      Array(4).fill({ state: "pending", leased: false, attemptCount: 0 }),
    );
    expect(receiver.received).toHaveLength(0);
  });
});
