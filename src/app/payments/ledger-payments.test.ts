import { describe, expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import type { PAYMENT_RULES } from "../../store/payments/payment-rules.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
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
import { aProject, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { listViolations, moveSuspense } from "../../testing/rigs/with-pool.ts";
import { openApplyPayments } from "./apply-payments.ts";
import { settlePayment } from "./settle-payment.ts";

const { db } = useTestDatabase();

/** Payments of every kind, which agree with the ledger until something is done behind the database's back. */
async function somePayments() {
  const open = await aPayin(db, CONFIRMED);
  await receive(db, open, 400);
  const success = await aPayin(db, ISSUED);
  await receive(db, success, 1000);
  const declined = await aPayin(db, [...ISSUED, { kind: "cancelled" }]);
  await receive(db, declined, 900);
  const moved = await aPayin(db, [...ISSUED, { kind: "cancelled" }]);
  await receive(db, moved, 900);
  const { projectId } = await aProject(db);
  const target = { kind: "to_balance" as const, projectId };
  const words = { reference: newId(), reason: "late", actor: "test" };
  await moveSuspense(db, { requestId: moved.requestId, amount: minor(600), target, ...words });
  const sent = await aPayout(db, ["claimed"]);
  const paid = await aPayout(db, ["claimed", "approved"]);
  const returned = await aPayout(db, ["claimed", "declined"]);
  const short = await aPayout(db, ["claimed", "timed_out"]);
  const byHand = { through: "manual", reference: newId(), reason: "paid by wire", actor: "test" };
  await settlePayment(db, { requestId: short.requestId, ...byHand });
  const approved = { kind: "approved", clearing: "clearing:sandbox" } as const;
  await openApplyPayments(db)({ ...short, payout: approved, actor: "provider" });
  const card = await aCardPayin(db, [charged(400)]);
  const costly = await aPayout(db, ["claimed"]);
  const providerFee = { reference: await referenceOf(db, costly), fee: minor(12) };
  await openApplyPayments(db)({ ...costly, payout: approved, providerFee, actor: "provider" });
  return { open, success, declined, moved, card, sent, paid, returned, short, costly };
}

type Payments = Awaited<ReturnType<typeof somePayments>>;
type Corruption = readonly [which: keyof Payments, statement: string];

const OF_PAYMENT = "where project_id = $1 and request_id = $2";
const OF_SUBJECT = "where project_id = $1 and subject_id = $2";
const insertTransfer = (from: string, to: string, kind: string) =>
  `insert into transfers (project_id, id, currency, from_account, to_account, amount, kind, subject_id)
   values ($1, gen_random_uuid(), 'RUB', '${from}', '${to}', 1000, '${kind}', $2)`;

const corruptions: Record<keyof typeof PAYMENT_RULES, readonly Corruption[]> = {
  suspense_negative: [
    ["declined", insertTransfer("suspense", "clearing:manual", "return")],
    ["declined", `update transfers set subject_id = gen_random_uuid() ${OF_SUBJECT}`],
  ],
  suspense_differs: [
    ["open", `update payments set received_amount = received_amount + 1 ${OF_PAYMENT}`],
    ["success", `update payments set received_amount = received_amount + 1 ${OF_PAYMENT}`],
    ["declined", `update payments set received_amount = 0 ${OF_PAYMENT}`],
    ["moved", `update suspense_moves set amount = amount + 1 ${OF_PAYMENT}`],
    ["moved", `delete from suspense_moves ${OF_PAYMENT}`],
    ["card", `update payments set received_amount = 0 ${OF_PAYMENT}`],
  ],
  move_differs: [["moved", `update suspense_moves set amount = amount + 1 ${OF_PAYMENT}`]],
  payin_differs: [
    ["success", `update transfers set amount = amount - 1 ${OF_SUBJECT} and kind = 'settle'`],
    ["success", `update payments set fee = fee + 1 ${OF_PAYMENT}`],
    ["success", `delete from transfers ${OF_SUBJECT}`],
    ["declined", insertTransfer("clearing:manual", "available", "settle")],
    ["open", insertTransfer("clearing:manual", "fees", "fee")],
  ],
  cost_differs: [
    ["costly", `delete from transfers ${OF_SUBJECT} and kind = 'cost'`],
    ["costly", `update transfers set amount = amount - 1 ${OF_SUBJECT} and kind = 'cost'`],
    ["costly", `update transfers set to_account = 'clearing:other' ${OF_SUBJECT} and kind = 'cost'`],
    ["costly", insertTransfer("fees", "clearing:sandbox", "cost")],
    ["costly", `update attempts set fee = null ${OF_PAYMENT}`],
    ["card", `update attempts set fee = 1 ${OF_PAYMENT}`],
    ["card", insertTransfer("fees", "clearing:sandbox", "cost")],
  ],
  shortfall_differs: [
    ["returned", insertTransfer("shortfall", "clearing:sandbox", "shortfall")],
    ["paid", insertTransfer("shortfall", "clearing:sandbox", "shortfall")],
    ["returned", `update payments set shortfall_at = now() ${OF_PAYMENT}`],
    ["short", `delete from transfers ${OF_SUBJECT} and kind = 'shortfall'`],
    ["short", `update transfers set amount = amount - 1 ${OF_SUBJECT} and kind = 'shortfall'`],
    ["short", insertTransfer("shortfall", "clearing:sandbox", "shortfall")],
    ["short", `update payments set shortfall_at = null ${OF_PAYMENT}`],
    ["short", `update payments set unproven_end = 'through_provider' ${OF_PAYMENT}`],
  ],
  payout_differs: [
    ["sent", "update holds set state = 'released', closed_at = now() where project_id = $1 and id = $2"],
    ["sent", "delete from holds where project_id = $1 and id = $2"],
    ["sent", `update payments set fee = fee + 1 ${OF_PAYMENT}`],
    ["paid", "update holds set state = 'released' where project_id = $1 and id = $2"],
    ["returned", "update holds set state = 'open', closed_at = null where project_id = $1 and id = $2"],
  ],
};

describe("ledger check", () => {
  const cases = Object.entries(corruptions).flatMap(([rule, each]) =>
    each.map(([which, statement]) => [rule, which, statement] as const),
  );
  it.each(cases)("names %s: %s: %s", async (rule, which, statement) => {
    const payments = await somePayments();
    expect(await listViolations(db)).toEqual([]);
    expect(await seenAfterCorruption(statement, payments[which])).toContain(rule);
  });

  async function seenAfterCorruption(text: string, { projectId, requestId }: PaymentKey): Promise<string[]> {
    const undo = new Error("undo");
    let seen: string[] = [];
    const corrupting = db.transaction(async (tx) => {
      await tx.run({ text: "set local session_replication_role = replica" });
      await tx.run({ text, values: [projectId, requestId] });
      seen = (await listViolations(tx)).map((violation) => violation.rule);
      throw undo;
    });
    await expect(corrupting).rejects.toBe(undo);
    return seen;
  }
});
