import { expect, it, vi } from "vitest";
import type { ChargeState } from "../../core/card-acquirer.ts";
import { newId } from "../../platform/new-id.ts";
import { sumSuspense } from "../../store/ledger/suspense-moves.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aCardPayin, charged } from "../../testing/builders/payments.ts";
import { aProject, minor } from "../../testing/builders/projects.ts";
import { aTriedPage } from "../../testing/builders/tried-page.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeAcquirer } from "../../testing/rigs/fake-acquirer.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { moveSuspense, readAttention } from "../../testing/rigs/with-pool.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { startChoiceWatch } from "../../worker/choice-watch.ts";

/** Charges after the end, at an acquirer that cannot reverse them. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const SOON = { timeout: 60_000, interval: 5 };
const NAMED = [{ provider: "sandbox", book: "test", currency: "RUB", count: 1, sum: 1000n }];

function anAcquirer() {
  const asked: string[] = [];
  const state = (reference: string) => {
    asked.push(reference);
    return { kind: "approved", amount: minor(1000) } as const;
  };
  const connector = { ...aFakeProvider("sandbox"), cards: aFakeAcquirer({ state }) };
  return { asked, change: { findConnector: () => connector } };
}

/** An operator had the payer refunded there, and records it. */
async function refund({ requestId }: PaymentKey) {
  const words = { reference: newId(), reason: "refunded at the provider's desk", actor: "olga" };
  return moveSuspense(db, { requestId, amount: minor(1000), target: { kind: "return", through: "sandbox" }, ...words });
}

it("stay in suspense for an operator, and the acquirer is asked no more often than of any payment that is over", async () => {
  const key = await aCardPayin(db, [{ kind: "expired" }, charged(1000)]);
  expect(await refund(key)).toEqual({ ok: false, error: { kind: "reversal_pending" } });
  const { asked, change } = anAcquirer();
  rig.startWorker(change);
  await vi.waitFor(async () => expect(await rig.find(key)).toMatchObject({ releasedAt: expect.any(Date) }), SOON);
  expect(rig.errors.splice(0)).toEqual([expect.stringContaining("its provider cannot reverse it")]);
  expect((await readAttention(db)).unreversedCharges).toMatchObject(NAMED);
  const dueS = async () => {
    const [row] = await db.run<{ due_s: number }>({
      text: "select extract(epoch from due_at - finished_at)::float8 as due_s from payments where request_id = $1",
      values: [key.requestId],
    });
    return Math.round(row?.due_s ?? 0);
  };
  expect([await dueS(), asked]).toEqual([30, []]);
  await db.run({
    text: "update payments set finished_at = finished_at - interval '31 s', due_at = now() where request_id = $1",
    values: [key.requestId],
  });
  await db.run({ text: "select pg_notify('tillgate_due', '')" });
  await vi.waitFor(async () => expect(await dueS()).toBe(300), SOON);
  expect(asked).toHaveLength(1);
  expect(await rig.find(key)).toMatchObject({ state: "decline", declineCode: "expired", contradictedAt: null });
  expect(await refund(key)).toMatchObject({ ok: true });
  expect((await readAttention(db)).unreversedCharges).toEqual([]);
  expect([await rig.sumOf(key, "suspense"), await rig.sumOf(key, "clearing:sandbox")]).toEqual([0n, 0n]);
});

it("are the same for a card that the payer of a hosted page left behind", async () => {
  const { projectId } = await aProject(db);
  const key = await aTriedPage(db, projectId);
  await db.run({ text: `alter table page_choices disable trigger page_choices_identity` });
  await db.run({
    text: `update page_choices set provider = 'sandbox', reference = $2, due_at = now() where request_id = $1 and number = 1`,
    values: [key.requestId, newId()],
  });
  await db.run({ text: `alter table page_choices enable trigger page_choices_identity` });
  const watch = startChoiceWatch({ ...rig.deps, ...anAcquirer().change });
  await vi.waitFor(async () => expect((await readAttention(db)).unreversedCharges).toMatchObject(NAMED), SOON);
  await watch.stop();
  expect(rig.errors.splice(0)).toEqual([expect.stringContaining("its provider cannot reverse it")]);
  expect(await sumSuspense(db, key)).toBe(1000n);
  await rig.deps.apply({ ...key, payin: { kind: "cancelled" }, actor: "merchant" });
  expect(await refund(key)).toMatchObject({ ok: true });
  expect((await readAttention(db)).unreversedCharges).toEqual([]);
});

it.each<[string, ChargeState]>([
  ["declined", { kind: "declined", reason: "other" }],
  ["charged for another sum", { kind: "approved", amount: minor(600) }],
])("an operator who is to settle another sum is told, once, that the acquirer has it as %s", async (_, said) => {
  const key = await aCardPayin(db, [charged(700)]);
  expect(await rig.find(key)).toMatchObject({ state: "dispute:different_amount", receivedAmount: 700n });
  const cards = aFakeAcquirer({ state: () => ({ kind: "approved", amount: minor(700) }) });
  rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
  const look = async () => {
    const [{ tries } = { tries: 0 }] = await db.run<{ tries: number }>({
      text: "update payments set due_at = now() where request_id = $1 returning tries",
      values: [key.requestId],
    });
    await db.run({ text: "select pg_notify('tillgate_due', '')" });
    await vi.waitFor(async () => expect((await rig.find(key)).tries).toBe(tries + 1), SOON);
    return rig.find(key);
  };
  expect(await look()).toMatchObject({ contradictedAt: null });
  cards.answers.state = () => said;
  for (const _time of [1, 2])
    expect(await look()).toMatchObject({ state: "dispute:different_amount", contradictedAt: expect.any(Date) });
  expect(rig.errors.splice(0)).toEqual([expect.stringContaining("the provider contradicts")]);
  expect(await rig.sumOf(key, "suspense")).toBe(700n);
});
