import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { listHistory, listReceipts, listTransfers } from "../../store/payments/payment-trail.ts";
import { findPayment, type PaymentKey } from "../../store/payments/payments.ts";
import {
  aCardPayin,
  aPayin,
  aPayout,
  CONFIRMED,
  charged,
  ISSUED,
  receive,
  referenceOf,
} from "../../testing/builders/payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openApplyPayments } from "./apply-payments.ts";
import { declinePayment, settlePayment } from "./settle-payment.ts";

const { db } = useTestDatabase();

/** A reference is good for one movement of a book, so each payment has its own. */
function command({ requestId }: { requestId: Id }, reference = `bank-${requestId}`) {
  return { requestId, reference, reason: "seen in the statement", actor: "olga" };
}

async function balanceOf(projectId: Id) {
  const [balance] = await listBalances(db, [projectId]);
  return [balance?.available ?? 0n, balance?.locked ?? 0n];
}

async function stateOf(key: PaymentKey) {
  return (await findPayment(db, key.projectId, key.requestId))?.state;
}

async function lastLine(key: PaymentKey) {
  return (await listHistory(db, key)).at(-1);
}

async function journalOf(key: PaymentKey) {
  return (await listTransfers(db, key)).map(({ from, to, amount }) => `${from} → ${to} ${amount}`).sort();
}

describe("settling a pay-in by hand", () => {
  it("records the transfer that nobody saw, under the bank's reference, in the same commit", async () => {
    const key = await aPayin(db, CONFIRMED);
    expect(await settlePayment(db, command(key))).toMatchObject({
      ok: true,
      value: { state: "success", amount: 1000n },
    });
    expect(await balanceOf(key.projectId)).toEqual([975n, 0n]);
    expect(await journalOf(key)).toEqual(["clearing:manual → available 975", "clearing:manual → fees 25"]);
    expect(await listReceipts(db, key)).toMatchObject([
      { provider: "manual", receiptReference: `bank-${key.requestId}`, amount: 1000n },
    ]);
    expect(await lastLine(key)).toMatchObject({
      event: "operator_settled",
      actor: "olga",
      detail: `reference bank-${key.requestId}: seen in the statement`,
      toState: "success",
    });
  });

  it("takes what arrived for what it is, and needs no receipt for it", async () => {
    const key = await aPayin(db, CONFIRMED);
    await receive(db, key, 400);
    expect(await settlePayment(db, command(key))).toMatchObject({
      ok: true,
      value: { state: "success", amount: 400n },
    });
    expect(await balanceOf(key.projectId)).toEqual([390n, 0n]);
    expect((await listReceipts(db, key)).map(({ provider }) => provider)).toEqual(["sandbox"]);
  });

  it("goes through the provider that the operator names, whose own news of it is then old", async () => {
    const key = await aPayin(db, CONFIRMED);
    await settlePayment(db, { ...command(key, "t-9"), through: "sandbox" });
    expect(await journalOf(key)).toEqual(["clearing:sandbox → available 975", "clearing:sandbox → fees 25"]);
    await receive(db, key, 1000, "t-9");
    expect((await findPayment(db, key.projectId, key.requestId))?.receivedAmount).toBe(1000n);
  });

  it("never uses one reference for two payments, one after the other or at once", async () => {
    const { projectId } = await aProject(db);
    const payins = await Promise.all(Array.from({ length: 6 }, () => aPayin(db, CONFIRMED, { projectId })));
    const results = await Promise.all(payins.map((key) => settlePayment(db, command(key, "same"))));
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    for (const result of results.filter((each) => !each.ok)) {
      expect(result).toEqual({ ok: false, error: { kind: "reference_taken" } });
    }
    expect(await balanceOf(projectId)).toEqual([975n, 0n]);
  });

  it("once for many at the same payment", async () => {
    const key = await aPayin(db, CONFIRMED);
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) => settlePayment(db, command(key, `r${index}`))),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await balanceOf(key.projectId)).toEqual([975n, 0n]);
    expect(await listReceipts(db, key)).toHaveLength(1);
  });

  it.each([
    ["processing:new", []],
    ["processing:awaiting_confirm", ISSUED],
    ["dispute:no_payment", [...ISSUED, { kind: "expired" as const }]],
  ])("is refused in %s, and the history says that somebody tried", async (state, happenings) => {
    const key = await aPayin(db, happenings);
    expect(await settlePayment(db, command(key))).toMatchObject({
      ok: false,
      error: { kind: "refused", payment: { state } },
    });
    expect(await stateOf(key)).toBe(state);
    expect(await listReceipts(db, key)).toEqual([]);
    expect(await lastLine(key)).toMatchObject({
      event: "operator_settled",
      toState: state,
      detail: `refused: reference bank-${key.requestId}: seen in the statement`,
    });
  });

  it("is refused after the end, also with the reference that ended it", async () => {
    const key = await aPayin(db, CONFIRMED);
    await settlePayment(db, command(key));
    expect(await settlePayment(db, command(key))).toMatchObject({
      ok: false,
      error: { kind: "refused", payment: { state: "success" } },
    });
    expect(await balanceOf(key.projectId)).toEqual([975n, 0n]);
  });

  it("says when the balance has no room, and changes nothing", async () => {
    const key = await aPayin(db, CONFIRMED);
    await credit(db, key.projectId, 9_999_999_999_999n);
    expect(await settlePayment(db, command(key))).toEqual({ ok: false, error: { kind: "balance_limit" } });
    expect(await stateOf(key)).toBe("processing:paid");
    expect(await listReceipts(db, key)).toEqual([]);
    expect(await lastLine(key)).toMatchObject({ event: "confirmed" });
  });

  it("refuses a provider that does not see this money", async () => {
    const live = await aProject(db, "live");
    const key = await aPayin(db, CONFIRMED, live);
    const through = (code: string) => settlePayment(db, { ...command(key), through: code });
    expect(await through("sandbox")).toEqual({ ok: false, error: { kind: "provider_of_other_book" } });
    expect(await through("nobody")).toEqual({ ok: false, error: { kind: "provider_unknown" } });
    expect(await through("manual")).toMatchObject({ ok: true });
  });

  it("knows no foreign ids", async () => {
    const unknown = { requestId: "0".repeat(32) as Id };
    expect(await settlePayment(db, command(unknown))).toEqual({ ok: false, error: { kind: "payment_unknown" } });
    expect(await declinePayment(db, command(unknown))).toEqual({ ok: false, error: { kind: "payment_unknown" } });
  });
});

describe("declining a pay-in by hand", () => {
  it("leaves in suspense what arrived", async () => {
    const key = await aPayin(db, CONFIRMED);
    await receive(db, key, 400);
    expect(await declinePayment(db, command(key))).toMatchObject({
      ok: true,
      value: { state: "decline", declineCode: "operator" },
    });
    expect(await balanceOf(key.projectId)).toEqual([0n, 0n]);
    expect(await journalOf(key)).toEqual(["clearing:sandbox → suspense 400"]);
  });
});

describe("pay-ins by card, by hand", () => {
  it("are settled for the charge that nobody saw, or for what was charged", async () => {
    const unseen = await aCardPayin(db, [{ kind: "timed_out" }]);
    expect(await settlePayment(db, command(unseen))).toMatchObject({
      ok: true,
      value: { state: "success", amount: 1000n },
    });
    const charge = { provider: "sandbox", receiptReference: await referenceOf(db, unseen) };
    expect(await listReceipts(db, unseen)).toMatchObject([charge]);
    expect(await journalOf(unseen)).toEqual(["clearing:sandbox → available 975", "clearing:sandbox → fees 25"]);
    // The provider's own word of the same charge is old news by then.
    const receivedFrom = { ...charge, amount: minor(1000), receivedAt: new Date() };
    const told = await openApplyPayments(db)({ ...unseen, card: charged(1000), receivedFrom, actor: "provider" });
    expect(told).toMatchObject({ ok: true, value: { state: "success", receivedAmount: 1000n } });
    expect(await listReceipts(db, unseen)).toHaveLength(1);
    const other = await aCardPayin(db, [charged(400)]);
    expect(await settlePayment(db, command(other))).toMatchObject({
      ok: true,
      value: { state: "success", amount: 400n },
    });
    expect(await balanceOf(other.projectId)).toEqual([390n, 0n]);
  });

  it("are not settled for money that came another way", async () => {
    const key = await aCardPayin(db, [{ kind: "timed_out" }]);
    for (const through of ["manual", "nobody"]) {
      const settled = await settlePayment(db, { ...command(key), through });
      expect(settled).toEqual({ ok: false, error: { kind: "not_by_charge" } });
    }
    expect(await settlePayment(db, { ...command(key), through: "sandbox" })).toMatchObject({ ok: true });
  });

  it("are declined, and the charge goes back to the card", async () => {
    const key = await aCardPayin(db, [charged(400)]);
    expect(await declinePayment(db, command(key))).toMatchObject({ ok: true, value: { state: "decline" } });
    expect(await journalOf(key)).toEqual(["clearing:sandbox → suspense 400"]);
    const reversed = { kind: "reversed", clearing: "clearing:sandbox" } as const;
    await openApplyPayments(db)({ ...key, card: reversed, actor: "provider" });
    expect(await journalOf(key)).toContain("suspense → clearing:sandbox 400");
  });

  it("are left alone while their provider is being asked", async () => {
    const key = await aCardPayin(db);
    for (const end of [settlePayment, declinePayment]) {
      expect(await end(db, command(key))).toMatchObject({ ok: false, error: { kind: "refused" } });
    }
  });
});

describe("payouts by hand", () => {
  it("are cancelled while nobody has sent them", async () => {
    const key = await aPayout(db);
    expect(await declinePayment(db, command(key))).toMatchObject({ ok: true, value: { state: "decline" } });
    expect(await balanceOf(key.projectId)).toEqual([1025n, 0n]);
    expect(await lastLine(key)).toMatchObject({ event: "operator_cancelled", actor: "olga" });
  });

  it("are left alone while a provider is being asked", async () => {
    const key = await aPayout(db, ["claimed"]);
    for (const end of [settlePayment, declinePayment]) {
      expect(await end(db, command(key))).toMatchObject({ ok: false, error: { kind: "refused" } });
    }
    expect(await balanceOf(key.projectId)).toEqual([0n, 1025n]);
  });

  it("in dispute are settled through their provider, or another way", async () => {
    const key = await aPayout(db, ["claimed", "may_have_left"]);
    expect(await settlePayment(db, command(key))).toMatchObject({ ok: true, value: { state: "success" } });
    expect(await journalOf(key)).toContain("locked → clearing:sandbox 1000");
    const other = await aPayout(db, ["claimed", "timed_out"]);
    await settlePayment(db, { ...command(other), through: "manual" });
    expect(await journalOf(other)).toContain("locked → clearing:manual 1000");
    expect(await balanceOf(other.projectId)).toEqual([0n, 0n]);
  });

  it("with people who pay from receiving accounts are not settled without the account, which has the books", async () => {
    const key = await aPayout(db);
    const claimed = { payout: { kind: "claimed", clearing: "clearing:pool" }, nextProvider: "pool" } as const;
    await openApplyPayments(db)({ ...key, ...claimed, actor: "test" });
    const refused = { ok: false, error: { kind: "no_account_named" } };
    expect(await settlePayment(db, command(key))).toEqual(refused);
    expect(await settlePayment(db, { ...command(key), through: "pool" })).toEqual(refused);
    expect(await settlePayment(db, { ...command(await aPayin(db, CONFIRMED)), through: "pool" })).toEqual(refused);
    expect(await stateOf(key)).toBe("processing:payout_process");
  });

  it("pay-ins that were shown a receiving account are settled by the bank's line, unless an operator names another way", async () => {
    const [submitted, ...rest] = CONFIRMED;
    const key = await aPayin(db, []);
    const apply = openApplyPayments(db);
    await apply({ ...key, payin: submitted as PayinHappening, nextProvider: "pool", actor: "test" });
    for (const payin of rest) await apply({ ...key, payin, actor: "test" });
    expect(await settlePayment(db, command(key))).toEqual({ ok: false, error: { kind: "no_account_named" } });
    expect(await stateOf(key)).toBe("processing:paid");
    expect(await settlePayment(db, { ...command(key), through: "manual" })).toMatchObject({ ok: true });
  });

  it("in dispute are declined, and all of it goes back", async () => {
    const key = await aPayout(db, ["claimed", "timed_out"]);
    expect(await declinePayment(db, command(key))).toMatchObject({ ok: true, value: { state: "decline" } });
    expect(await balanceOf(key.projectId)).toEqual([1025n, 0n]);
  });
});
