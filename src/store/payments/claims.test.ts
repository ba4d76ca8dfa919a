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
