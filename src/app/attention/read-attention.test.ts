import { expect, it } from "vitest";
import { ATTENTION_ENTRIES } from "../../core/attention/attention.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aPayin, aPayout, CONFIRMED, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, credit } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { pausePart } from "../merchants/pauses.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { readAttentionFigures } from "./read-attention.ts";

const { db } = useTestDatabase();

async function set({ projectId, requestId }: PaymentKey, change: string): Promise<void> {
  await db.run({
    text: `update payments set ${change} where project_id = $1 and request_id = $2`,
    values: [projectId, requestId],
  });
}

it("finds nothing in an installation that is well", async () => {
  await aPayin(db, CONFIRMED);
  await aPayin(db, [...ISSUED, { kind: "expired" }]);
  await aPayout(db, ["claimed", "approved"]);
  expect(await readAttention(db)).toEqual({
    ...Object.fromEntries(ATTENTION_ENTRIES.map((entry) => [entry, []])),
    late: { count: 0, oldestS: 0 },
  });
  expect(await readAttentionFigures(db)).toMatchObject({
    unknownCount: 0,
    oldestUnknownS: 0,
    // It ends by itself, so nobody is called; but it may be counted.
    disputesByState: [{ state: "dispute:no_payment", count: 1 }],
    suspenseByCurrency: [],
    overdueCount: 0,
  });
});

it("counts what is unknown, disputed, late, short, waiting and in suspense", async () => {
  await set(await aPayout(db, ["claimed"]), "unknown_since = now() - interval '10 minutes'");
  await set(await aPayout(db, ["claimed"]), "unknown_since = now() - interval '1 minute'");
  await set(await aPayin(db), "due_at = now() - interval '5 minutes'");
  await set(await aPayout(db, ["claimed", "timed_out"]), "updated_at = now() - interval '2 hours'");
  await aPayout(db, ["claimed", "timed_out"]);
  await receive(db, await aPayin(db, CONFIRMED), 400);
  const short = await aPayout(db, ["claimed", "declined"]);
  const approved = { kind: "approved", clearing: "clearing:sandbox" } as const;
  await openApplyPayments(db)({ ...short, payout: approved, actor: "provider" });
  const full = await aProject(db, "live");
  await credit(db, full.projectId, 9_999_999_999_999n);
  await receive(db, await aPayin(db, CONFIRMED, full), 1000);
  const waiting = await aPayout(db);
  const part = { kind: "payouts", projectId: waiting.projectId } as const;
  await pausePart(db, { part, reason: "night", actor: "olga" });

  const test = { book: "test", currency: "RUB" };
  const found = await readAttention(db);
  expect(found).toMatchObject({
    late: { count: 1 },
    unknown: [{ ...test, count: 2, sum: 2000n }],
    shortfalls: [{ ...test, count: 1, sum: 1000n }],
    disputes: [
      { ...test, state: "dispute:payout_timeout", count: 2, sum: 2000n },
      { ...test, state: "dispute:different_amount", count: 1, sum: 1000n },
    ],
    waitingForRoom: [{ book: "live", count: 1, sum: 1000n }],
    pausedPayouts: [{ ...test, count: 1, sum: 1000n }],
    suspense: [
      { book: "live", count: 1, sum: 1000n },
      { ...test, count: 1, sum: 400n },
    ],
    pauses: [{ kind: "payouts", name: waiting.projectId, reason: "night", actor: "olga" }],
  });
  expect(found.unknown[0]?.oldestS).toBeGreaterThanOrEqual(600);
  const figures = await readAttentionFigures(db);
  expect(figures).toMatchObject({
    unknownCount: 2,
    suspenseByCurrency: [
      { book: "live", currency: "RUB", amount: 1000n },
      { book: "test", currency: "RUB", amount: 400n },
    ],
    overdueCount: 1,
  });
  const timeouts = figures.disputesByState.find(({ state }) => state === "dispute:payout_timeout");
  expect(timeouts).toMatchObject({ count: 2 });
  expect(timeouts?.oldestS).toBeGreaterThanOrEqual(7200);
  expect(figures.oldestUnknownS).toBeGreaterThanOrEqual(600);
  expect(figures.oldestDueS).toBeGreaterThanOrEqual(300);
});
