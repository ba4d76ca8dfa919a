import { expect, it } from "vitest";
import { attemptReference } from "../../app/payments/attempt-reference.ts";
import { declinePayment, settlePayment } from "../../app/payments/settle-payment.ts";
import { newId } from "../../platform/new-id.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { onPayment, useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { payoutCodeOf } from "../core/hand-payout.ts";
import { lockExports } from "../store/hand-payout-exports.ts";
import { completePayout } from "./complete-payout.ts";
import { type ExportCommand, exportPayouts, repeatExport } from "./export-payouts.ts";
import { failPayout } from "./fail-payout.ts";

const rig = useHandPayoutRig(useTestDatabase());
const { db, keyring, aWaitingPayout, byHandOf } = rig;

async function anEmptyAccount() {
  await db.run({ text: "update hand_payouts set outcome = 'declined', ended_at = now() where outcome is null" });
  return anAccount(db, keyring);
}

function ask(account: { readonly code: string }, change: Partial<ExportCommand> = {}) {
  const command = {
    exportId: newId(),
    account: account.code,
    currency: undefined,
    limit: 100,
    actor: "olga",
    ...change,
  };
  return exportPayouts({ db, keyring }, command);
}

async function take(...asked: Parameters<typeof ask>) {
  const exported = await ask(...asked);
  if (!exported.ok) return expect.unreachable(exported.error);
  const { payouts, ...rest } = exported.value;
  return { ...rest, payouts, ids: payouts.map(({ requestId }) => requestId) };
}

it("gives each payout to one person, the oldest first, and says so in its row", async () => {
  const account = await anEmptyAccount();
  const keys = [await aWaitingPayout(), await aWaitingPayout(), await aWaitingPayout()] as const;
  const first = await take(account, { limit: 2 });
  expect(first.ids).toEqual([keys[0].requestId, keys[1].requestId]);
  expect(first.payouts[0]).toMatchObject({
    code: rig.codeOf(keys[0]),
    receiver: { type: "card", pan: "4242424242424242" },
    amount: 1000n,
    currency: "RUB",
  });
  expect(await byHandOf(keys[0])).toMatchObject({
    ...{ exportedBy: "olga", accountCode: account.code, exportId: first.exportId, exportedAt: expect.any(Date) },
    outcome: null,
  });
  const second = await take(await anAccount(db, keyring), { actor: "ivan" });
  expect(second.ids).toEqual([keys[2].requestId]);
  expect((await take(account)).ids).toEqual([]);
});

it("does not give out what a debit names that came before the payout, as after a restore: it would be paid twice", async () => {
  const account = await anEmptyAccount();
  const other = await aWaitingPayout();
  const { projectId } = other;
  const codeOf = (paymentId: string) =>
    payoutCodeOf(attemptReference({ projectId, direction: "payout", paymentId }, 1));
  // They were paid in the hours that the backup lacks, and the statement is imported before the merchant repeats them.
  const debits = await rig.importDebits(
    account,
    { reference: "r-1", payer: `Payment ${codeOf("lost")}` },
    { reference: `${codeOf("of another sum")} r-2`, amount: 900 },
  );
  expect(debits).toMatchObject([{ outcome: "unexplained" }, { outcome: "unexplained" }]);
  const lost = await aWaitingPayout({ projectId, paymentId: "lost" });
  const another = await aWaitingPayout({ projectId, paymentId: "of another sum" });
  expect(await take(account)).toMatchObject({
    ...{ ids: [other.requestId], paidBefore: [lost.requestId, another.requestId] },
  });
  expect(await byHandOf(lost)).toMatchObject({ exportedAt: null });
  // The operator says which debit paid it.
  const said = { account: account.code, reference: "r-1", booked: undefined, actor: "olga" };
  expect(await completePayout(db, { ...said, requestId: lost.requestId })).toMatchObject({ ok: true });
  expect(await rig.look(lost)).toMatchObject({ state: "success" });
  expect(await take(account)).toMatchObject({ ids: [], paidBefore: [another.requestId] });
});

it("gives the same list again, without what has ended since", async () => {
  const account = await anEmptyAccount();
  const keys = [await aWaitingPayout(), await aWaitingPayout(), await aWaitingPayout()] as const;
  const { exportId, payouts } = await take(account);
  const again = () => repeatExport({ db, keyring }, exportId);
  expect(await again()).toEqual({
    ok: true,
    value: { exportId, account: account.code, payouts, broken: [], paidBefore: [], leftOut: 0 },
  });
  const { requestId } = keys[1];
  await completePayout(db, { requestId, account: account.code, reference: "e-1", booked: undefined, actor: "olga" });
  const rest = await again();
  expect(rest).toMatchObject({ ok: true, value: { leftOut: 1 } });
  expect(rest.ok && rest.value.payouts.map((each) => each.requestId)).toEqual([keys[0].requestId, keys[2].requestId]);
  expect(await repeatExport({ db, keyring }, newId())).toEqual({ ok: false, error: "export_unknown" });
});

it("gives nothing of another book or currency, and nothing that has ended or is elsewhere", async () => {
  const account = await anEmptyAccount();
  const [failed, timedOut, declined, settled, doubtful] = [
    await aWaitingPayout({ others: [aFakeProvider("next")] }),
    await aWaitingPayout(),
    await aWaitingPayout(),
    await aWaitingPayout(),
    await aWaitingPayout(),
  ];
  const say = { reason: "no", certain: false, actor: "olga" };
  await failPayout(db, { ...say, requestId: failed.requestId, outcome: "declined" });
  await failPayout(db, { ...say, requestId: doubtful.requestId, outcome: "may_have_left" });
  await rig.workOff();
  for (const key of [timedOut, declined, settled]) await rig.passTime(key, 86_401);
  const proof = { reference: "p", reason: "r", actor: "olga" };
  expect(await declinePayment(db, { ...proof, requestId: declined.requestId })).toMatchObject({ ok: true });
  expect(await settlePayment(db, { ...proof, requestId: settled.requestId })).toEqual({
    ok: false,
    error: { kind: "no_account_named" },
  });
  expect(await settlePayment(db, { ...proof, requestId: settled.requestId, through: "manual" })).toMatchObject({
    ok: true,
  });
  expect((await take(await anAccount(db, keyring, { book: "test" }))).ids).toEqual([]);
  expect((await take(await anAccount(db, keyring, { currency: "KZT" as never }))).ids).toEqual([]);
  expect(await ask(account, { currency: "KZT" as never })).toEqual({ ok: false, error: "currency_differs" });
  expect(await ask({ code: "nobody" })).toEqual({ ok: false, error: "account_unknown" });
  // A person may still pay what only took too long.
  expect((await take(account)).ids).toEqual([timedOut.requestId]);
});

it("gives nothing while payouts are paused", async () => {
  const account = await anEmptyAccount();
  const [held, free] = [await aWaitingPayout(), await aWaitingPayout()];
  for (const [kind, name] of [
    ["payouts", ""],
    ["provider", "pool"],
  ] as const) {
    await rig.pause(kind, name);
    expect(await ask(account)).toEqual({ ok: false, error: "payouts_paused" });
    await rig.resume(kind, name);
  }
  await rig.pause("payouts", held.projectId);
  const { exportId, ids } = await take(account);
  expect(ids).toEqual([free.requestId]);
  await rig.resume("payouts", held.projectId);
  expect((await take(account)).ids).toEqual([held.requestId]);
  await rig.pause("payouts", free.projectId);
  expect(await repeatExport({ db, keyring }, exportId)).toMatchObject({ ok: true, value: { payouts: [], leftOut: 1 } });
  await rig.resume("payouts", free.projectId);
});

it("leaves out what was tampered with, in nobody's place", async () => {
  const account = await anEmptyAccount();
  const [moved, good] = [await aWaitingPayout(), await aWaitingPayout()];
  await db.run({
    text: "update hand_payouts set receiver = (select receiver from hand_payouts where reference = $2) where reference = $1",
    values: [await referenceOf(db, moved), await referenceOf(db, good)],
  });
  expect(await take(account, { limit: 1 })).toMatchObject({ ids: [good.requestId], broken: [moved.requestId] });
  expect(await byHandOf(moved)).toMatchObject({ exportedAt: null });
});

it("two at once share nothing", async () => {
  const account = await anEmptyAccount();
  const keys = [];
  for (let count = 0; count < 5; count += 1) keys.push(await aWaitingPayout());
  const [one, two] = await rig.inRace(
    lockExports,
    () => take(account, { limit: 3 }),
    () => take(account, { limit: 3, actor: "ivan" }),
  );
  expect([one.ids.length, two.ids.length]).toEqual([3, 2]);
  expect([...one.ids, ...two.ids].sort()).toEqual(keys.map(({ requestId }) => requestId).sort());
});

it("what ends while it is chosen is not handed out", async () => {
  const account = await anEmptyAccount();
  const [key, other] = [await aWaitingPayout(), await aWaitingPayout()];
  const { requestId } = key;
  const paying = { requestId, account: account.code, reference: "race-1", booked: undefined, actor: "olga" };
  const [completed, exported] = await rig.inRace(
    onPayment(key),
    () => completePayout(db, paying),
    () => take(account),
  );
  expect(completed).toMatchObject({ ok: true, value: { changed: true } });
  expect(exported.ids).toEqual([other.requestId]);
});
