import { expect, it } from "vitest";
import { adjustBalance } from "../app/ledger/adjust-balance.ts";
import { AMOUNT_MAX } from "../core/money.ts";
import { newId } from "../platform/new-id.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { credit, minor, RUB } from "../testing/builders/projects.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, open, receipt } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** A project may hold 10^13 at most. What a payer sent is never turned away for that: it waits. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { aPayin, aPayout, balanceOf, find, look, passTime, sumOf, workOff } = rig;

/** Of one project, whose balance has room for so much more. */
async function payinsOfFullProject(count: number, room: bigint) {
  const first = aFakeProvider("first", { payin: (reference) => open(receipt(`of ${reference}`, 1000)) });
  const one = await aPayin([first]);
  await credit(db, one.projectId, AMOUNT_MAX - room);
  const names = [one];
  while (names.length < count) names.push(await aPayin([first], { projectId: one.projectId }));
  await workOff();
  return { names, first };
}

async function debit({ projectId }: PaymentKey, amount: number): Promise<void> {
  const command = { projectId, currency: RUB, amount: minor(amount), direction: "debit", reference: newId() } as const;
  expect(await adjustBalance(db, { ...command, reason: "test", actor: "test" })).toMatchObject({ ok: true });
}

it("waits in paid with its money in suspense, whatever the clock and the provider say, until a debit makes room", async () => {
  const { names, first } = await payinsOfFullProject(1, 989n);
  const [name] = names as [PaymentKey];
  expect(await look(name)).toMatchObject({ state: "processing:paid", receivedAmount: 1000n, confirmedAt: null });
  expect([await sumOf(name, "suspense"), await sumOf(name, "fees")]).toEqual([1000n, 0n]);
  first.answers.payin = (reference) => ({ kind: "declined", receipts: [receipt(`of ${reference}`, 1000)] });
  expect(await passTime(name, 100_000)).toMatchObject({ state: "processing:paid" });
  await debit(name, 1);
  expect(await passTime(name, 15)).toMatchObject({ state: "success", amount: 1000n, fee: 10n });
  expect([await sumOf(name, "suspense"), await sumOf(name, "fees")]).toEqual([0n, 10n]);
  expect(await balanceOf(name)).toEqual([AMOUNT_MAX, 0n]);
  expect(await sumOf(name, "clearing:first")).toBe(-1000n);
});

it("was confirmed before, and does not run out of time while it waits", async () => {
  const { names, first } = await payinsOfFullProject(1, 0n);
  const [name] = names as [PaymentKey];
  first.answers.payin = () => open();
  await rig.deps.apply({ ...name, payin: { kind: "confirmed" }, actor: "merchant" });
  await workOff();
  first.answers.payin = () => open(receipt("t", 1000));
  expect(await look(name)).toMatchObject({ state: "processing:paid", deadlineAt: null });
  expect(await passTime(name, 3_600)).toMatchObject({ state: "processing:paid" });
});

it("finds the room that a payout makes", async () => {
  const { names } = await payinsOfFullProject(1, 0n);
  const [name] = names as [PaymentKey];
  expect(await look(name)).toMatchObject({ state: "processing:paid" });
  await aPayout([aFakeProvider("second", { send: () => APPROVED })], { projectId: name.projectId, amount: 5_000 });
  await workOff();
  expect(await look(name)).toMatchObject({ state: "success" });
  expect(await balanceOf(name)).toEqual([AMOUNT_MAX - 5_050n + 990n, 0n]);
});

it("of several at once as many are settled as there is room for, and none is lost", async () => {
  const { names } = await payinsOfFullProject(8, 3_000n);
  await db.run({ text: "update payments set due_at = now() where finished_at is null" });
  await workOff();
  const states = (await Promise.all(names.map(find))).map(({ state }) => state).sort();
  expect(states).toEqual([...Array(5).fill("processing:paid"), ...Array(3).fill("success")]);
  const [name] = names as [PaymentKey];
  expect(await sumOf(name, "suspense")).toBe(5_000n);
  await debit(name, 100_000);
  for (const each of names) await look(each);
  expect(new Set((await Promise.all(names.map(find))).map(({ state }) => state))).toEqual(new Set(["success"]));
  expect(await sumOf(name, "suspense")).toBe(0n);
});

it("takes more money than any payment may be asked for", async () => {
  const first = aFakeProvider("first", { payin: () => open(receipt("t", AMOUNT_MAX * 2n + 3n)) });
  const name = await aPayin([first], { amount: 9_999_999_999_900 });
  await workOff();
  expect(await look(name)).toMatchObject({ state: "dispute:different_amount", receivedAmount: AMOUNT_MAX * 2n + 3n });
  await look(name);
  expect(await sumOf(name, "suspense")).toBe(AMOUNT_MAX * 2n + 3n);
  // It cannot be worth that much to anybody: it is left in suspense, to be sent back.
  const settled = { ...name, payin: { kind: "operator_settled", clearing: "clearing:manual" }, actor: "op" } as const;
  expect(await rig.deps.apply(settled)).toEqual({ ok: false, error: "refused" });
  expect(await rig.deps.apply({ ...settled, payin: { kind: "operator_declined" } })).toMatchObject({ ok: true });
});
