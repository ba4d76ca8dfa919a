import { expect, it } from "vitest";
import { openMetrics } from "../../platform/metrics.ts";
import { aPayin, aPayout, CONFIRMED, receive } from "../../testing/builders/payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { recordLedgerCheck } from "../ledger/check-ledger.ts";
import { pausePart } from "../merchants/pauses.ts";
import { addAttentionGauge } from "../metrics/attention-gauge.ts";
import { addLedgerGauges } from "../metrics/ledger-gauges.ts";
import { findingsOf } from "./findings.ts";

const { db } = useTestDatabase();
const REASON = "Olga is on call";

async function troubles(): Promise<void> {
  const live = await aProject(db, "live");
  await receive(db, await aPayin(db, CONFIRMED, live), 400);
  await aPayout(db, ["claimed", "timed_out"]);
  await aPayout(db, ["claimed", "timed_out"]);
  await pausePart(db, { part: { kind: "payouts", projectId: live.projectId }, reason: REASON, actor: "olga" });
  await recordLedgerCheck(db, { violations: [{ rule: "r", where: "w", detail: "d" }] }, "olga");
}

it("findings have ids and figures, stable subjects, and no words of people", async () => {
  await troubles();
  const findings = findingsOf(await readAttention(db));
  expect(findings.map(({ entry, subject, book, count }) => [entry, subject, book, count])).toEqual([
    ["ledgerViolations", "ledger", null, 1],
    ["disputes", "dispute:different_amount RUB", "live", 1],
    ["disputes", "dispute:payout_timeout RUB", "test", 2],
    ["suspense", "RUB", "live", 1],
    ["pauses", expect.stringMatching(/^payouts [0-9a-f]{32}$/), null, 1],
  ]);
  expect(JSON.stringify(findings)).not.toMatch(/olga/i);
  await db.run({ text: "update payments set updated_at = now() - interval '1 day' where state like 'dispute:%'" });
  const later = findingsOf(await readAttention(db));
  expect(later.map(({ subject }) => subject)).toEqual(findings.map(({ subject }) => subject));
});

it("the same as metrics, and when the books were last checked", async () => {
  const metrics = openMetrics();
  addAttentionGauge(metrics, () => readAttention(db));
  addLedgerGauges(metrics, db);
  const text = await metrics.registry.metrics();
  expect(text).toContain('tillgate_attention{entry="disputes",book="test"} 2\n');
  expect(text).toContain('tillgate_attention{entry="ledger_violations",book="all"} 1\n');
  expect(text).toContain("tillgate_ledger_check_violations 1\n");
  await recordLedgerCheck(db, { violations: [] }, "olga");
  const again = openMetrics();
  addLedgerGauges(again, db);
  expect(await again.registry.metrics()).toContain("tillgate_ledger_check_violations 0\n");
});
