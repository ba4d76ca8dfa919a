import { expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { findPayment, type PaymentKey } from "../../store/payments/payments.ts";
import { aNewPayin, aNewPayout, PAYMENT_AMOUNT } from "../../testing/builders/new-payments.ts";
import { aPayin, CONFIRMED, referenceOf } from "../../testing/builders/payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openTakeNotification } from "../payments/take-notification.ts";

/** While rows of one merchant are locked, as by an operator's long transaction, the others do not wait for it. */
const { db, openAnother } = useTestDatabase();
const creates = openCreatePayments(db);
const apply = openApplyPayments(db);

const LOCKS = {
  balance: "select from balances where project_id = $1 for update",
  project: "select from projects where id = $1 for update",
  payment: "select from payments where request_id = $1 for update",
} as const;

/** Does the work while another transaction holds the rows; it lets go of them only when the work is done. */
async function whileLocked(what: keyof typeof LOCKS, id: Id, work: (other: Database) => Promise<void>): Promise<void> {
  const other = openAnother();
  try {
    await other.transaction(async (tx) => {
      expect(await tx.run({ text: LOCKS[what], values: [id] })).toHaveLength(1);
      await work(other);
    });
  } finally {
    await other.close();
  }
}

const payout = (projectId: Id) => creates.payout(aNewPayout(projectId, { amount: minor(100) }));
const payin = (projectId: Id) => creates.payin(aNewPayin(projectId, { amount: minor(100) }));

/** Whether it has been answered. */
function watch(promise: Promise<unknown>): () => boolean {
  let settled = false;
  promise.finally(() => {
    settled = true;
  });
  return () => settled;
}

async function twoProjects(): Promise<[Id, Id]> {
  const [one, two] = [await aProject(db), await aProject(db)];
  for (const { projectId } of [one, two]) await credit(db, projectId, 100_000);
  return [one.projectId, two.projectId];
}

it("payouts of others go on while a balance is locked, also those that came together with the held up ones", async () => {
  const [locked, free] = await twoProjects();
  const heldUp: Promise<unknown>[] = [];
  const answered: (() => boolean)[] = [];
  await whileLocked("balance", locked, async () => {
    for (let round = 0; round < 5; round += 1) {
      const waiting = [payout(locked), payout(locked)];
      heldUp.push(...waiting);
      answered.push(...waiting.map(watch));
      const results = await Promise.all([payout(free), payout(free), payout(free)]);
      expect(results.every(({ ok }) => ok)).toBe(true);
    }
    expect(answered.some((isAnswered) => isAnswered())).toBe(false);
  });
  expect(await Promise.all(heldUp)).toMatchObject(heldUp.map(() => ({ ok: true })));
  // It goes the common way again.
  expect(await payout(locked)).toMatchObject({ ok: true });
});

it("pay-ins of others are created while a project is locked", async () => {
  const [locked, free] = await twoProjects();
  let heldUp: Promise<unknown> = Promise.resolve();
  await whileLocked("project", locked, async () => {
    heldUp = payin(locked);
    const isAnswered = watch(heldUp);
    expect(await payin(free)).toMatchObject({ ok: true });
    expect(isAnswered()).toBe(false);
  });
  expect(await heldUp).toMatchObject({ ok: true });
});

function receive(name: PaymentKey) {
  const amount = minor(PAYMENT_AMOUNT);
  return apply({
    ...{ ...name, actor: "provider", payin: { kind: "received", amount, clearing: "clearing:sandbox" } },
    receivedFrom: { provider: "sandbox", receiptReference: newId(), amount, receivedAt: new Date() },
  });
}

it("money of others is counted while a balance is locked", async () => {
  const [locked, free] = await twoProjects();
  const ofLocked = await aPayin(db, CONFIRMED, { projectId: locked });
  const ofFree = await aPayin(db, CONFIRMED, { projectId: free });
  let heldUp: Promise<unknown> = Promise.resolve();
  await whileLocked("balance", locked, async () => {
    heldUp = receive(ofLocked);
    const isAnswered = watch(heldUp);
    expect(await receive(ofFree)).toMatchObject({ ok: true, value: { state: "success" } });
    expect(isAnswered()).toBe(false);
    expect(await findPayment(db, locked, ofLocked.requestId)).toMatchObject({ state: "processing:paid" });
  });
  expect(await heldUp).toMatchObject({ ok: true, value: { state: "success" } });
});

it("one payment that is locked does not hold up the others of its project", async () => {
  const { projectId } = await aProject(db);
  const names = await Promise.all(Array.from({ length: 6 }, () => aPayin(db, CONFIRMED, { projectId })));
  const [locked, ...others] = names as [PaymentKey, ...PaymentKey[]];
  let heldUp: Promise<unknown> = Promise.resolve();
  await whileLocked("payment", locked.requestId, async () => {
    heldUp = receive(locked);
    const isAnswered = watch(heldUp);
    const results = await Promise.all(others.map(receive));
    expect(results).toMatchObject(others.map(() => ({ ok: true, value: { state: "success" } })));
    expect(isAnswered()).toBe(false);
  });
  expect(await heldUp).toMatchObject({ ok: true });
});

it("a provider's notifications are taken while a payment that one of them is about is locked", async () => {
  const provider = aFakeProvider("first");
  const take = openTakeNotification(db);
  const notify = async (name: PaymentKey) =>
    take(provider, { headers: {}, rawBody: Buffer.from(await referenceOf(db, name)) } as never);
  const names = [await aPayin(db), await aPayin(db)] as [PaymentKey, PaymentKey];
  for (const name of names)
    await apply({ ...name, actor: "test", payin: { kind: "submitted" }, nextProvider: "first" });
  let heldUp: Promise<unknown> = Promise.resolve();
  await whileLocked("payment", names[0].requestId, async () => {
    heldUp = notify(names[0]);
    const isAnswered = watch(heldUp);
    expect(await notify(names[1])).toMatchObject({ ok: true });
    expect(isAnswered()).toBe(false);
  });
  expect(await heldUp).toMatchObject({ ok: true });
});
