import { beforeEach, expect, it } from "vitest";
import { openMetrics } from "../../platform/metrics.ts";
import { aNewPayin, aNewPayout } from "../../testing/builders/new-payments.ts";
import { aProject, credit } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openPaymentMetrics, type PaymentMetrics } from "./payment-metrics.ts";

const { db } = useTestDatabase();
let metrics = openMetrics();
let counted: PaymentMetrics;

beforeEach(() => {
  metrics = openMetrics();
  counted = openPaymentMetrics(metrics, () => "live");
});

async function lines(name: string): Promise<string[]> {
  const text = await metrics.registry.metrics();
  return text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

it("a payment that is created is counted once, however often the call is repeated", async () => {
  const { projectId } = await aProject(db, "live");
  const creates = counted.creates(openCreatePayments(db));
  const payin = aNewPayin(projectId);
  expect((await creates.payin(payin)).ok).toBe(true);
  expect(await creates.payin({ ...payin, requestId: aNewPayin(projectId).requestId })).toMatchObject({
    value: { replayed: true },
  });
  expect(await creates.payout(aNewPayout(projectId))).toMatchObject({ ok: false });
  expect(await lines("tillgate_payments_created_total")).toEqual([
    `tillgate_payments_created_total{book="live",direction="payin",method="card-p2p"} 1`,
  ]);
});

it("a state is counted when an event reaches it, and a success with its time", async () => {
  const { projectId } = await aProject(db, "live");
  await credit(db, projectId, 1_000_000n);
  const created = await openCreatePayments(db).payout(aNewPayout(projectId));
  if (!created.ok) throw new Error(created.error);
  const apply = counted.apply(openApplyPayments(db));
  const key = { projectId, requestId: created.value.requestId, actor: "worker" };
  await apply({ ...key, payout: { kind: "claimed", clearing: "clearing:sandbox" }, nextProvider: "sandbox" });
  const approved = { ...key, payout: { kind: "approved", clearing: "clearing:sandbox" } } as const;
  // Two that arrive together, of which one ends the payment.
  await Promise.all([apply(approved), apply(approved)]);
  await apply(approved);
  const of = (state: string) => `book="live",direction="payout",method="card-p2p",provider="sandbox",state="${state}"`;
  expect(await lines("tillgate_payments_reached_total")).toEqual([
    `tillgate_payments_reached_total{${of("processing:payout_process")}} 1`,
    `tillgate_payments_reached_total{${of("success")}} 1`,
  ]);
  expect(await lines("tillgate_payment_success_seconds_count")).toEqual([
    `tillgate_payment_success_seconds_count{book="live",direction="payout",method="card-p2p"} 1`,
  ]);
});
