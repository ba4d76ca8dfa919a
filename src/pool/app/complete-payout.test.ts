import { describe, expect, it } from "vitest";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { onPayment, useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { heldBack } from "../../testing/rigs/held-back.ts";
import { completePayout } from "./complete-payout.ts";
import { failPayout } from "./fail-payout.ts";

const rig = useHandPayoutRig(useTestDatabase());
const { db, keyring, aWaitingPayout, attemptsOf, balanceOf, byHandOf, codeOf, find, importDebits, look, sumOf } = rig;

const DAY_S = 86_400;

const complete = ({ requestId }: PaymentKey, account: { readonly code: string }, reference: string) =>
  completePayout(db, { requestId, account: account.code, reference, booked: undefined, actor: "olga" });
const failIt = (
  { requestId }: PaymentKey,
  outcome: "declined" | "may_have_left" | "receiver_wrong" = "declined",
  certain = false,
) => failPayout(db, { requestId, outcome, reason: "no", certain, actor: "olga" });
const changed = { ok: true, value: { changed: true } };
const unchanged = { ok: true, value: { changed: false } };
const refused = (kind: string) => ({ ok: false, error: { kind } });

async function linesOf(reference: string) {
  return db.run({
    text: "select outcome, replace(request_id::text, '-', '') as request from bank_lines where reference = $1",
    values: [reference],
  });
}

/** [of the account's clearing under the payment, of it under the house, of shortfall under the house] */
async function moneyOf(key: PaymentKey, account: { readonly code: string }): Promise<readonly bigint[]> {
  const house = await rig.houseOf();
  const clearing = `clearing:pool-${account.code}`;
  return [await sumOf(key, clearing), await sumOf(house, clearing), await sumOf(house, "shortfall")];
}

describe("payout complete", () => {
  it("is the success of the payment, with the money out of the account's clearing, once", async () => {
    const account = await anAccount(db, keyring);
    const key = await aWaitingPayout();
    expect(await complete(key, account, "b-1")).toMatchObject({ ok: true, value: { payment: { state: "success" } } });
    expect(await complete(key, account, "b-1")).toMatchObject(unchanged);
    expect(await complete(key, account, "b-2")).toMatchObject(refused("completed_otherwise"));
    expect(await complete(key, await anAccount(db, keyring), "b-1")).toMatchObject(refused("completed_otherwise"));
    expect(await look(key)).toMatchObject({ state: "success" });
    expect(await moneyOf(key, account)).toEqual([1000n, 0n, 0n]);
    expect(await balanceOf(key)).toEqual([98_990n, 0n]);
    expect(await attemptsOf(key)).toEqual(["pool taken"]);
    expect(await byHandOf(key)).toMatchObject({ outcome: "approved", accountCode: account.code, endedBy: "olga" });
    expect(await linesOf("b-1")).toEqual([{ outcome: "payout", request: key.requestId }]);
    expect(await rig.callbacksOf(key)).toEqual(["processing", "success"]);
    expect(await failIt(key)).toMatchObject(refused("completed"));
  });

  it("refuses what cannot be", async () => {
    const account = await anAccount(db, keyring);
    const [key, other] = [await aWaitingPayout(), await aWaitingPayout({ amount: 500 })];
    const ofTest = await anAccount(db, keyring, { book: "test" });
    const inTenge = await anAccount(db, keyring, { currency: "KZT" as never });
    expect(await complete(key, { code: "nobody" }, "x-1")).toMatchObject(refused("account_unknown"));
    expect(await complete(key, ofTest, "x-1")).toMatchObject(refused("account_of_other_book"));
    expect(await complete(key, inTenge, "x-1")).toMatchObject(refused("account_of_other_currency"));
    expect(await complete({ ...key, requestId: "0".repeat(32) as never }, account, "x-1")).toMatchObject(
      refused("payment_unknown"),
    );
    const elsewhere = await rig.aPayout([aFakeProvider("first")]);
    await rig.workOff();
    expect(await complete(elsewhere, account, "x-1")).toMatchObject(refused("not_by_hand"));
    const tomorrow = new Date(Date.now() + DAY_S * 1000);
    const early = { requestId: key.requestId, account: account.code, reference: "x-1", actor: "olga" };
    expect(
      await completePayout(db, { ...early, booked: { kind: "instant", from: tomorrow, to: tomorrow } }),
    ).toMatchObject(refused("booked_later"));
    await complete(other, account, "x-2");
    expect(await complete(key, account, "x-2")).toMatchObject(refused("reference_taken"));
    await importDebits(account, { reference: "x-3", amount: 999 });
    expect(await complete(key, account, "x-3")).toMatchObject(refused("amount_differs"));
    expect(await find(key)).toMatchObject({ state: "processing:payout_process" });
    expect(await byHandOf(key)).toMatchObject({ outcome: null });
  });

  it("is for ever: the database says so too", async () => {
    const account = await anAccount(db, keyring);
    const [key, other] = [await aWaitingPayout(), await aWaitingPayout()];
    await complete(key, account, "k-1");
    const change = async (text: string) => db.run({ text, values: [await referenceOf(db, key)] });
    await expect(change("update hand_payouts set outcome = 'declined' where reference = $1")).rejects.toThrow(
      "it left",
    );
    await expect(
      db.run({
        text: "update hand_payouts set amount = 1 where reference = $1",
        values: [await referenceOf(db, other)],
      }),
    ).rejects.toThrow("keeps its request");
    const second = importDebits(account, { reference: "k-2", payer: codeOf(key) });
    expect(await second).toMatchObject([{ outcome: "unexplained" }]);
    await expect(
      db.run({
        text: `update bank_lines set outcome = 'payout', project_id = $1, request_id = $2 where reference = 'k-2'`,
        values: [key.projectId, key.requestId],
      }),
    ).rejects.toThrow("bank_lines_payout_once");
  });

  it("explains what a statement brought before", async () => {
    const account = await anAccount(db, keyring);
    const key = await aWaitingPayout();
    const before = await moneyOf(key, account);
    expect(await importDebits(account, { reference: "s-1" })).toMatchObject([{ outcome: "unexplained" }]);
    const short = await moneyOf(key, account);
    expect([short[1], (short[2] ?? 0n) - (before[2] ?? 0n)]).toEqual([1000n, -1000n]);
    expect(await complete(key, account, "s-1")).toMatchObject(changed);
    expect(await moneyOf(key, account)).toEqual([1000n, 0n, before[2]]);
    expect(await linesOf("s-1")).toEqual([{ outcome: "payout", request: key.requestId }]);
    expect(await importDebits(account, { reference: "s-1" })).toMatchObject([{ kind: "known" }]);
  });
});

describe("payout fail", () => {
  it("lets the next provider pay what was certainly not paid; money that left all the same is nobody's", async () => {
    const account = await anAccount(db, keyring);
    const next = aFakeProvider("next");
    const key = await aWaitingPayout({ others: [next] });
    expect(await failIt(key)).toMatchObject(changed);
    expect(await failIt(key)).toMatchObject(unchanged);
    await rig.workOff();
    expect(await find(key)).toMatchObject({ state: "processing:payout_process", provider: "next" });
    expect(await failIt(key, "may_have_left")).toMatchObject(refused("not_waiting"));
    expect(await complete(key, account, "f-1")).toMatchObject(refused("elsewhere"));
    expect(await importDebits(account, { reference: "f-1", payer: codeOf(key) })).toMatchObject([
      { outcome: "unexplained" },
    ]);
    next.answers.payout = () => ({ kind: "approved" });
    expect(await look(key)).toMatchObject({ state: "success" });
    expect(await complete(key, account, "f-2")).toMatchObject(refused("paid_otherwise"));
  });

  it("declines it where no route is left; completed after that, it is a shortfall, once", async () => {
    const account = await anAccount(db, keyring);
    const key = await aWaitingPayout();
    await failIt(key);
    await rig.workOff();
    expect(await find(key)).toMatchObject({ state: "decline", declineCode: "provider_declined" });
    expect(await balanceOf(key)).toEqual([100_000n, 0n]);
    expect(await complete(key, account, "g-1")).toMatchObject({ ok: true, value: { payment: { state: "decline" } } });
    expect(await complete(key, account, "g-1")).toMatchObject(unchanged);
    await look(key);
    expect([await sumOf(key, "shortfall"), await sumOf(key, `clearing:pool-${account.code}`)]).toEqual([-1000n, 1000n]);
    expect(await complete(key, account, "g-2")).toMatchObject(refused("completed_otherwise"));
  });

  it.each([
    ["may_have_left", "dispute:payout_failed"],
    ["receiver_wrong", "dispute:incorrect_requisites"],
  ] as const)("%s is a dispute that somebody ends either way", async (outcome, state) => {
    const account = await anAccount(db, keyring);
    const [left, stayed] = [await aWaitingPayout(), await aWaitingPayout()];
    for (const key of [left, stayed]) {
      expect(await failIt(key, outcome)).toMatchObject(changed);
      await rig.workOff();
      expect(await find(key)).toMatchObject({ state });
      expect(await balanceOf(key)).toEqual([98_990n, 1010n]);
    }
    expect(await complete(left, account, `d-${outcome}`)).toMatchObject(changed);
    expect(await find(left)).toMatchObject({ state: "success" });
    expect(await failIt(stayed)).toMatchObject(refused("handed_out"));
    expect(await failIt(stayed, "declined", true)).toMatchObject(changed);
    await rig.workOff();
    expect(await find(stayed)).toMatchObject({ state: "decline" });
  });
});

describe("time", () => {
  it("is a day; after it a payout is a dispute that can still be completed or failed", async () => {
    const account = await anAccount(db, keyring);
    const [left, stayed] = [await aWaitingPayout(), await aWaitingPayout()];
    for (const key of [left, stayed]) {
      expect(await rig.passTime(key, DAY_S - 60)).toMatchObject({ state: "processing:payout_process" });
      expect(await rig.passTime(key, 61)).toMatchObject({ state: "dispute:payout_timeout" });
    }
    expect(await complete(left, account, "t-1")).toMatchObject(changed);
    expect(await failIt(stayed)).toMatchObject(changed);
    await rig.workOff();
    expect([(await find(left)).state, (await find(stayed)).state]).toEqual(["success", "decline"]);
  });
});

describe("at once", () => {
  it("complete and the same debit of a statement are one debit, whoever is first", async () => {
    const account = await anAccount(db, keyring);
    for (const [first, payer] of [
      ["complete", undefined],
      ["import", undefined],
      ["import", "code"],
    ] as const) {
      const key = await aWaitingPayout();
      const reference = `r-${key.requestId}`;
      // Its lines are locked before the payment: whoever is second waits for these.
      const completing = () => complete(key, account, reference);
      const importing = () =>
        importDebits(account, { reference, ...(payer === undefined ? {} : { payer: codeOf(key) }) });
      if (first === "complete") {
        const [completed, imported] = await rig.inRace(onPayment(key), completing, importing);
        expect([completed, imported]).toMatchObject([changed, [{ kind: "known" }]]);
      } else if (payer === "code") {
        const [imported, completed] = await rig.inRace(onPayment(key), importing, completing);
        expect([imported, completed]).toMatchObject([[{ outcome: "payout" }], unchanged]);
      } else {
        const lock = (tx: Parameters<ReturnType<typeof onPayment>>[0]) =>
          tx.run({
            text: "select pg_advisory_xact_lock(hashtext('tillgate_bank_lines'), hashtext($1::uuid::text))",
            values: [account.id],
          });
        const [imported, completed] = await rig.inRace(lock, importing, completing);
        expect([imported, completed]).toMatchObject([[{ outcome: "unexplained" }], changed]);
      }
      expect(await look(key)).toMatchObject({ state: "success" });
      expect(await linesOf(reference)).toEqual([{ outcome: "payout", request: key.requestId }]);
      expect((await moneyOf(key, account)).slice(0, 2)).toEqual([1000n, 0n]);
    }
  });

  it("complete and fail: one of them is refused, or the money left after all", async () => {
    const account = await anAccount(db, keyring);
    const [one, two] = [await aWaitingPayout(), await aWaitingPayout()];
    const completedFirst = await rig.inRace(
      onPayment(one),
      () => complete(one, account, "c-1"),
      () => failIt(one),
    );
    expect(completedFirst).toMatchObject([changed, refused("completed")]);
    const failedFirst = await rig.inRace(
      onPayment(two),
      () => failIt(two),
      () => complete(two, account, "c-2"),
    );
    expect(failedFirst).toMatchObject([changed, changed]);
    await rig.workOff();
    for (const key of [one, two]) {
      expect(await find(key)).toMatchObject({ state: "success" });
      expect(await byHandOf(key)).toMatchObject({ outcome: "approved" });
      expect((await moneyOf(key, account)).slice(0, 2)).toEqual([1000n, 0n]);
    }
  });

  it("complete and the worker that is about to say that time is up", async () => {
    const account = await anAccount(db, keyring);
    const key = await aWaitingPayout();
    const held = heldBack<{ readonly kind: "pending" }>();
    const slow = { ...rig.pool, askPayoutState: held.answer };
    rig.startWorker({ findConnector: () => slow });
    await db.run({
      text: "update payments set deadline_at = now(), due_at = now() where project_id = $1 and request_id = $2",
      values: [key.projectId, key.requestId],
    });
    await db.run({ text: "select pg_notify('tillgate_due', '')" });
    await held.asked;
    expect(await complete(key, account, "w-1")).toMatchObject(changed);
    held.letGo({ kind: "pending" });
    await rig.workOff();
    expect(await find(key)).toMatchObject({ state: "success" });
    expect(await rig.callbacksOf(key)).toEqual(["processing", "success"]);
    const history = await db.run<{ event: string; detail: string | null }>({
      text: "select event, detail from payment_history where request_id = $1 and event = 'timed_out'",
      values: [key.requestId],
    });
    expect(history).toEqual([{ event: "timed_out", detail: "refused" }]);
  });
});
