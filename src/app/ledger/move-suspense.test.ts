import { describe, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { listSuspense } from "../../store/ledger/suspense.ts";
import { sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { listHistory, listReceipts } from "../../store/payments/payment-trail.ts";
import { findPayment, type PaymentKey } from "../../store/payments/payments.ts";
import { aCardPayin, aPayin, aPayout, CONFIRMED, charged, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { moveSuspense } from "../../testing/rigs/with-pool.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { declinePayment, settlePayment } from "../payments/settle-payment.ts";
import type { MoveSuspense } from "./move-suspense.ts";

const { db } = useTestDatabase();

/** A declined pay-in whose money came too late. */
async function lateMoney(amount: number, wish: { projectId?: Id } = {}): Promise<PaymentKey> {
  const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }], wish);
  await receive(db, key, amount);
  return key;
}

/** A reference is good for one movement of a book, so each project has its own. */
function nameIn({ projectId }: PaymentKey, number = 1): string {
  return `m-${number}-${projectId}`;
}

function move(key: PaymentKey, amount: number, target: MoveSuspense["target"], reference = nameIn(key)) {
  const words = { reference, reason: "late transfer", actor: "olga" };
  return moveSuspense(db, { requestId: key.requestId, amount: minor(amount), target, ...words });
}

const toBalance = (projectId: Id) => ({ kind: "to_balance" as const, projectId });
const toPayment = ({ requestId }: PaymentKey) => ({ kind: "to_payment" as const, requestId });
const back = (through = "manual") => ({ kind: "return" as const, through });

async function availableOf(projectId: Id): Promise<bigint> {
  return (await listBalances(db, [projectId]))[0]?.available ?? 0n;
}

async function transfersOf(projectId: Id): Promise<string[]> {
  const rows = await db.run<{ line: string }>({
    text: `select from_account || ' → ' || to_account || ' ' || amount || ' ' || kind as line from transfers
            where project_id = $1 order by created_at, line`,
    values: [projectId],
  });
  return rows.map(({ line }) => line);
}

describe("money in suspense", () => {
  it("goes to the balance of its own project, all of it or in parts", async () => {
    const key = await lateMoney(900);
    expect(await move(key, 300, toBalance(key.projectId))).toMatchObject({ ok: true, value: { left: 600n } });
    expect(await move(key, 600, toBalance(key.projectId), nameIn(key, 2))).toMatchObject({
      ok: true,
      value: { left: 0n },
    });
    expect(await availableOf(key.projectId)).toBe(900n);
    expect((await transfersOf(key.projectId)).slice(1)).toEqual([
      "suspense → available 300 assign",
      "suspense → available 600 assign",
    ]);
    expect((await listHistory(db, key)).at(-1)).toMatchObject({
      event: "suspense_assigned",
      actor: "olga",
      fromState: "decline",
      toState: "decline",
      detail: `600 RUB, reference ${nameIn(key, 2)}: late transfer`,
    });
  });

  it("goes to another project's balance through the clearing account for manual work", async () => {
    const key = await lateMoney(900);
    const { projectId } = await aProject(db);
    expect(await move(key, 900, toBalance(projectId))).toMatchObject({ ok: true });
    expect((await transfersOf(key.projectId)).slice(1)).toEqual(["suspense → clearing:manual 900 assign"]);
    expect(await transfersOf(projectId)).toEqual(["clearing:manual → available 900 assign"]);
  });

  it("goes back, by hand or through a provider", async () => {
    const key = await lateMoney(900);
    await move(key, 300, back());
    await move(key, 600, back("sandbox"), nameIn(key, 2));
    expect((await transfersOf(key.projectId)).slice(1)).toEqual([
      "suspense → clearing:manual 300 return",
      "suspense → clearing:sandbox 600 return",
    ]);
    expect((await listHistory(db, key)).at(-1)).toMatchObject({ event: "suspense_returned" });
    expect(await sumSuspense(db, key)).toBe(0n);
  });

  it("completes an open payment by the rules of any money", async () => {
    const key = await lateMoney(1000);
    const goal = await aPayin(db, CONFIRMED);
    expect(await move(key, 1000, toPayment(goal))).toMatchObject({ ok: true });
    expect(await findPayment(db, goal.projectId, goal.requestId)).toMatchObject({ state: "success", amount: 1000n });
    expect(await availableOf(goal.projectId)).toBe(975n);
    expect(await listReceipts(db, goal)).toMatchObject([{ provider: "manual", receiptReference: nameIn(key) }]);
    expect((await listHistory(db, goal)).at(-1)).toMatchObject({
      event: "received_exact",
      actor: "olga",
      detail: `from suspense of ${key.requestId}, reference ${nameIn(key)}: late transfer`,
    });
  });

  it("that is another sum brings the payment into dispute, and stands in suspense there", async () => {
    const key = await lateMoney(900);
    const goal = await aPayin(db, ISSUED, { projectId: key.projectId });
    await move(key, 400, toPayment(goal));
    expect(await findPayment(db, goal.projectId, goal.requestId)).toMatchObject({ state: "dispute:different_amount" });
    expect([await sumSuspense(db, key), await sumSuspense(db, goal)]).toEqual([500n, 400n]);
    expect(
      (await listSuspense(db, key.projectId)).map(({ requestId, amount, state }) => [requestId, amount, state]),
    ).toEqual([
      [key.requestId, 500n, "decline"],
      [goal.requestId, 400n, "dispute:different_amount"],
    ]);
  });

  it("that was assigned from another payment goes back only by a way that is named", async () => {
    const key = await lateMoney(900);
    const goal = await aPayin(db, ISSUED, { projectId: key.projectId });
    await move(key, 400, toPayment(goal));
    await declinePayment(db, { requestId: goal.requestId, reference: "d-1", reason: "not ordered", actor: "olga" });
    const unnamed = await move(goal, 400, { kind: "return", through: undefined }, "m-2");
    expect(unnamed).toEqual({ ok: false, error: { kind: "way_unclear", ways: ["manual"] } });
    expect(await sumSuspense(db, goal)).toBe(400n);
    expect(await move(goal, 400, back("sandbox"), "m-2")).toMatchObject({ ok: true });
  });

  it("that completes a payment and finds no room waits under that payment", async () => {
    const key = await lateMoney(1000);
    const goal = await aPayin(db, CONFIRMED);
    await credit(db, goal.projectId, 9_999_999_999_999n);
    expect(await move(key, 1000, toPayment(goal))).toMatchObject({ ok: true });
    expect(await findPayment(db, goal.projectId, goal.requestId)).toMatchObject({ state: "processing:paid" });
    expect([await sumSuspense(db, key), await sumSuspense(db, goal)]).toEqual([0n, 1000n]);
  });

  it("does not fit a balance that is full, and stays", async () => {
    const key = await lateMoney(900);
    await credit(db, key.projectId, 9_999_999_999_999n);
    expect(await move(key, 900, toBalance(key.projectId))).toEqual({ ok: false, error: { kind: "balance_limit" } });
    expect(await sumSuspense(db, key)).toBe(900n);
  });

  it("of a second transfer is moved like any other", async () => {
    const key = await aPayin(db, ISSUED);
    await receive(db, key, 1000);
    await receive(db, key, 1000);
    expect(await move(key, 1000, back())).toMatchObject({ ok: true, value: { left: 0n } });
    expect(await availableOf(key.projectId)).toBe(975n);
  });
});

describe("a move out of suspense", () => {
  it("never takes more than stands there, however many try at once", async () => {
    const key = await lateMoney(900);
    expect(await move(key, 901, back())).toMatchObject({ ok: false, error: { kind: "exceeds", standing: 900n } });
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => move(key, 200, toBalance(key.projectId), `p-${index}`)),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(4);
    expect(await sumSuspense(db, key)).toBe(100n);
  });

  it("is done once for each reference, however often it is asked for", async () => {
    const key = await lateMoney(900);
    const results = await Promise.all(Array.from({ length: 8 }, () => move(key, 900, toBalance(key.projectId))));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(results.filter((result) => result.ok && !result.value.repeated)).toHaveLength(1);
    expect(await availableOf(key.projectId)).toBe(900n);
  });

  it("to a payment is done once too, also when that payment has ended by it", async () => {
    const key = await lateMoney(1000);
    const goal = await aPayin(db, CONFIRMED);
    await move(key, 1000, toPayment(goal));
    expect(await move(key, 1000, toPayment(goal))).toMatchObject({ ok: true, value: { repeated: true, left: 0n } });
    expect(await availableOf(goal.projectId)).toBe(975n);
  });

  it("may not use the reference of another one of its project", async () => {
    const key = await lateMoney(900);
    const sibling = await lateMoney(900, { projectId: key.projectId });
    await move(key, 300, back());
    const taken = { ok: false, error: { kind: "reference_taken" } };
    expect(await move(key, 301, back())).toEqual(taken);
    expect(await move(key, 300, back("sandbox"))).toEqual(taken);
    expect(await move(key, 300, toBalance(key.projectId))).toEqual(taken);
    expect(await move(sibling, 300, back())).toEqual(taken);
    expect(await sumSuspense(db, sibling)).toBe(900n);
  });

  it("at once with the same reference from two payments is done for one of them", async () => {
    const key = await lateMoney(900);
    const sibling = await lateMoney(900, { projectId: key.projectId });
    const results = await Promise.all([move(key, 300, back()), move(sibling, 300, back())]);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
  });

  it("may not name a transfer that the other project counted before: nothing leaves", async () => {
    const key = await lateMoney(1000);
    const goal = await aPayin(db, CONFIRMED);
    const settled = await aPayin(db, CONFIRMED, { projectId: goal.projectId });
    await settlePayment(db, { requestId: settled.requestId, reference: nameIn(key), reason: "seen", actor: "olga" });
    expect(await move(key, 1000, toPayment(goal))).toEqual({ ok: false, error: { kind: "reference_taken" } });
    expect(await sumSuspense(db, key)).toBe(1000n);
    expect(await findPayment(db, goal.projectId, goal.requestId)).toMatchObject({ state: "processing:paid" });
    expect((await listHistory(db, key)).at(-1)).toMatchObject({ event: "received_exact" });
  });

  it("leaves the money of open payments alone", async () => {
    const key = await aPayin(db, ISSUED);
    await receive(db, key, 400);
    expect(await move(key, 400, back())).toEqual({
      ok: false,
      error: { kind: "payment_open", state: "dispute:different_amount" },
    });
  });

  it("leaves a charge alone that is about to go back to its card", async () => {
    const key = await aCardPayin(db, [charged(400)]);
    await declinePayment(db, { requestId: key.requestId, reference: "case-1", reason: "not ordered", actor: "olga" });
    expect(await move(key, 400, back())).toEqual({ ok: false, error: { kind: "reversal_pending" } });
    const reversed = { kind: "reversed", clearing: "clearing:sandbox" } as const;
    await openApplyPayments(db)({ ...key, card: reversed, actor: "provider" });
    expect(await move(key, 400, back())).toMatchObject({ ok: false, error: { kind: "exceeds", standing: 0n } });
  });

  it("never crosses from test to live, nor from currency to currency", async () => {
    const key = await lateMoney(900);
    const live = await aProject(db, "live");
    expect(await move(key, 1, toBalance(live.projectId))).toEqual({ ok: false, error: { kind: "other_book" } });
    expect(await move(key, 1, toPayment(await aPayin(db, ISSUED, live)))).toEqual({
      ok: false,
      error: { kind: "other_book" },
    });
    const tenge = await aPayin(db, ISSUED, { currency: "KZT" as Currency });
    expect(await move(key, 1, toPayment(tenge))).toEqual({ ok: false, error: { kind: "other_currency" } });
  });

  it("goes to what can take it, and to nothing else", async () => {
    const key = await lateMoney(900);
    const refused = async (target: MoveSuspense["target"]) => {
      const moved = await move(key, 1, target);
      return moved.ok ? "moved" : moved.error.kind;
    };
    const nobody = "0".repeat(32) as Id;
    expect(await refused(toBalance(nobody))).toBe("target_unknown");
    expect(await refused({ kind: "to_payment", requestId: nobody })).toBe("target_unknown");
    expect(await refused(toPayment(await aPayout(db)))).toBe("target_takes_nothing");
    expect(await refused(toPayment(await aCardPayin(db)))).toBe("target_takes_nothing");
    expect(await refused(toPayment(await lateMoney(5)))).toBe("target_final");
    expect(await refused(toPayment(key))).toBe("target_final");
    expect(await refused(toPayment(await aPayin(db)))).toBe("target_refuses");
    expect(await refused(back("nobody"))).toBe("provider_unknown");
    expect(await sumSuspense(db, key)).toBe(900n);
    expect(await move({ ...key, requestId: nobody }, 1, back())).toEqual({
      ok: false,
      error: { kind: "payment_unknown" },
    });
  });

  it("is kept as it was made", async () => {
    const key = await lateMoney(900);
    await move(key, 300, back());
    for (const text of [
      "update suspense_moves set amount = 1",
      "delete from suspense_moves",
      "truncate suspense_moves",
    ]) {
      await expect(db.run({ text })).rejects.toMatchObject({ code: "23001" });
    }
  });
});
