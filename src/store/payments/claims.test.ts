import { describe, expect, it, vi } from "vitest";
import { referenceOf } from "../../testing/builders/payments.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { claimDuePayments, finishLooks, hintByReference } from "./claims.ts";
import type { PaymentKey } from "./payments.ts";

const database = useTestDatabase();
const { db } = database;
const { aPayin, find, workOff } = useWorkerRig(database);

const COUNT = 8;

/** Several payments of one project, in the order of their keys. */
async function somePayins(): Promise<PaymentKey[]> {
  const first = aFakeProvider("first");
  const one = await aPayin([first]);
  const names = [one];
  while (names.length < COUNT) names.push(await aPayin([first], { projectId: one.projectId }));
  await workOff();
  return names.sort((left, right) => (left.requestId < right.requestId ? -1 : 1));
}

/** Everything that changes several payments takes them in the order of their keys, so that nobody waits in a circle. */
describe("several payments at once are locked in the order of their keys", () => {
  /** Each is given the payments in the opposite order, and answers with what it is about to do. */
  const changes: Record<string, (names: readonly PaymentKey[]) => Promise<() => Promise<unknown>>> = {
    "giving leases back": async (names) => {
      await db.run({ text: "update payments set due_at = now() where due_at is not null" });
      const claimed = await claimDuePayments(db, { countMax: COUNT, leaseS: 60 });
      const told = { dueAt: null, tries: 1, confirmTold: false, released: false, unknown: false };
      const looks = names.map(({ projectId, requestId }) => {
        const { leaseUntil, sequence } = claimed.find((each) => each.requestId === requestId) ?? {};
        if (leaseUntil === undefined || sequence === undefined) throw new Error("not claimed");
        return { projectId, requestId, leaseUntil, sequence, ...told };
      });
      return () => finishLooks(db, looks);
    },
    hints: async (names) => {
      const references = await Promise.all(names.map((name) => referenceOf(db, name)));
      const hints = references.map((reference) => ({ provider: "first", reference }));
      return () => hintByReference(db, hints);
    },
  };

  it.each(Object.keys(changes))("%s", async (kind) => {
    const names = await somePayins();
    const [lowest, ...others] = names as [PaymentKey, ...PaymentKey[]];
    const change = (await changes[kind]?.(names.toReversed())) ?? (() => Promise.reject(new Error("no change")));
    // The lowest lies last in the table, where a scan finds it last.
    await db.run({ text: "update payments set tries = tries + 1 where request_id = $1", values: [lowest.requestId] });
    let changing: Promise<unknown> = Promise.resolve();
    await db.transaction(async (tx) => {
      await tx.run({ text: "select from payments where request_id = $1 for update", values: [lowest.requestId] });
      changing = change();
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1), { timeout: 60_000, interval: 2 });
      // Whoever waits for the first has not taken any other.
      const free = await tx.run({
        text: "select request_id from payments where request_id = any($1::uuid[]) for update nowait",
        values: [others.map(({ requestId }) => requestId)],
      });
      expect(free).toHaveLength(COUNT - 1);
    });
    await changing;
    expect(await find(lowest)).toMatchObject({ state: "processing:awaiting_confirm" });
  });

  async function countWaiting(): Promise<number> {
    const [row] = await db.run<{ count: number }>({
      text: `select count(*)::int as count from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`,
    });
    return row?.count ?? 0;
  }
});

describe("the end of a look", () => {
  const LATER = new Date(Date.now() + 3_600_000);

  async function aLook() {
    const first = aFakeProvider("first");
    const payment = await aPayin([first]);
    await workOff();
    await db.run({ text: "update payments set due_at = now() where request_id = $1", values: [payment.requestId] });
    const claimed = await claimDuePayments(db, { countMax: COUNT, leaseS: 60 });
    const { leaseUntil, sequence } = claimed.find(({ requestId }) => requestId === payment.requestId) ?? {};
    if (leaseUntil === undefined || sequence === undefined) throw new Error("not claimed");
    const { projectId, requestId } = payment;
    const told = { dueAt: LATER, tries: 7, confirmTold: false, released: false, unknown: false };
    return { payment, look: { projectId, requestId, leaseUntil, sequence, ...told } };
  }

  async function queued({ requestId }: PaymentKey) {
    const [row] = await db.run<{ leaseUntil: Date | null; dueAt: Date; isDue: boolean; tries: number }>({
      text: `select lease_until as "leaseUntil", due_at as "dueAt", due_at <= now() as "isDue", tries from payments where request_id = $1`,
      values: [requestId],
    });
    return row;
  }

  it("gives the lease back, and names the next look", async () => {
    const { payment, look } = await aLook();
    await finishLooks(db, [look]);
    expect(await queued(payment)).toEqual({ leaseUntil: null, dueAt: LATER, isDue: false, tries: 7 });
  });

  it("leaves a payment alone that another process has claimed since", async () => {
    const { payment, look } = await aLook();
    const theirs = new Date((look.leaseUntil?.getTime() ?? 0) + 1_000);
    await db.run({
      text: "update payments set lease_until = $2, tries = 1 where request_id = $1",
      values: [payment.requestId, theirs],
    });
    await finishLooks(db, [look]);
    expect(await queued(payment)).toMatchObject({ leaseUntil: theirs, isDue: true, tries: 1 });
  });

  it.each([
    ["a hint", "hinted = true"],
    ["another state", "sequence = sequence + 1"],
  ])("makes the payment due at once after %s during the look", async (_news, change) => {
    const { payment, look } = await aLook();
    await db.run({ text: `update payments set ${change} where request_id = $1`, values: [payment.requestId] });
    await finishLooks(db, [look]);
    expect(await queued(payment)).toMatchObject({ leaseUntil: null, isDue: true });
  });
});
