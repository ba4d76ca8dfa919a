import { afterEach, expect, it, vi } from "vitest";
import { openApplyPayments } from "../app/payments/apply-payments.ts";
import type { Database, Row, Statement } from "../store/db.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, NEVER_SEEN } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";
import type { WorkerDeps } from "./runner.ts";

/** A worker whose process stands still for longer than its lease, as when its machine is paused, and then goes on. */
const database = useTestDatabase();
const rig = useWorkerRig(database);
const { aPayout, attemptsOf, balanceOf, endLease, find, workOff } = rig;
const WAIT = { timeout: 60_000, interval: 10 };
const STOOD_STILL_MS = 20_000;

afterEach(() => void vi.restoreAllMocks());

/** From now on this process's clock is so much later. */
function standStill(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + STOOD_STILL_MS);
}

/** As if another worker had taken the payment: its lease cannot be renewed. */
function aDatabase(onClaimed: () => void = () => undefined): Database {
  return {
    ...database.db,
    run: async <R extends Row>(statement: Statement) => {
      if (statement.name === "renew_leases") return [];
      const rows = await database.db.run<R>(statement);
      if (statement.name === "claim_due_payments" && rows.length > 0) onClaimed();
      return rows;
    },
  };
}

const WHERE: Record<string, (onReached: () => void) => Partial<WorkerDeps>> = {
  "with the answer to its claim unread": (onReached) => ({ db: aDatabase(onReached) }),
  "after it has committed the attempt": (onReached) => {
    const apply = openApplyPayments(database.db);
    return {
      db: aDatabase(),
      apply: async (event) => {
        const applied = await apply(event);
        onReached();
        return applied;
      },
    };
  },
};

it.each(Object.entries(WHERE))("it sends no payout %s: another worker may have it", async (_where, change) => {
  const sent = new Set<string>();
  const bank = aFakeProvider("first", {
    send: (reference) => {
      sent.add(reference);
      return APPROVED;
    },
    payout: (reference) => (sent.has(reference) ? APPROVED : NEVER_SEEN),
  });
  const name = await aPayout([bank]);
  let stood = 0;
  const onReached = () => {
    stood += 1;
    if (stood === 1) standStill();
  };
  const worker = rig.startWorker(change(onReached));
  await vi.waitFor(async () => expect(await attemptsOf(name)).toHaveLength(1), WAIT);
  await worker.stop();
  expect([stood > 0, bank.countOf("send")]).toEqual([true, 0]);
  vi.restoreAllMocks();
  await endLease(name);
  await database.db.run({ text: "update payments set due_at = now() where due_at is not null" });
  await workOff();
  expect((await find(name)).state).toBe("success");
  expect(bank.countOf("send")).toBe(1);
  expect(await attemptsOf(name)).toEqual(["first taken"]);
  expect(await balanceOf(name)).toEqual([98_990n, 0n]);
});
