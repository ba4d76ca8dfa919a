import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject, minor, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { cardRowOf, newPageToken } from "../cards/card-secrets.ts";
import { applyInTransaction, openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import type { PaymentEvent } from "../payments/payment-event.ts";

/** The payer leaves requisites and chooses a card while money comes for what was left, all of it in one transaction. */
const { db } = useTestDatabase();
const apply = openApplyPayments(db);
const CLEARING = "clearing:sandbox";
const ratesOf = (basisPoints: number) => ({ basisPoints, fixed: minor(0) });

it("money for the requisites hints at the choice that was left; the card is settled by its own rates, once", async () => {
  const { projectId } = await aProject(db);
  const requestId = newId();
  const key = { projectId, requestId };
  const page = { ...key, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600, requestId } as const;
  expect(await openCreatePayments(db).widgetPayin({ ...aNewPayin(projectId, terms), page })).toMatchObject({
    ok: true,
  });
  const happen = async (event: Partial<PaymentEvent>) =>
    expect(await apply({ ...key, actor: "test", ...event } as PaymentEvent)).toMatchObject({ ok: true });
  const transfer = {
    method: "card-p2p",
    rates: ratesOf(100),
    lifetimeS: 900,
    bank: undefined,
    card: undefined,
  } as const;
  await happen({ payin: { kind: "chosen" }, choice: transfer });
  await happen({ payin: { kind: "submitted" }, nextProvider: "sandbox" });
  await happen({ payin: { kind: "requisites_issued" }, requisites: Buffer.from("sealed") });

  const card = cardRowOf(testKeyring(), key, "4242424242424242", newPageToken());
  const choice = { ...transfer, method: "card-ecom", rates: ratesOf(300), card } as const;
  const amount = minor(1000);
  const receipt = { provider: "sandbox", amount, receivedAt: new Date() };
  const results = await db.transaction((tx) =>
    applyInTransaction(tx, [
      { ...key, actor: "payer", ofChoice: 1, payin: { kind: "left" } },
      { ...key, actor: "payer", payin: { kind: "card_chosen" }, choice },
      {
        ...{ ...key, actor: "provider", ofChoice: 1, payin: { kind: "received", amount, clearing: CLEARING } },
        receivedFrom: { ...receipt, receiptReference: "late" },
      },
    ]),
  );
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
  expect(await findPayment(db, projectId, requestId)).toMatchObject({
    ...{ state: "processing:new", method: "card-ecom", feeBp: 300, fee: 30n, choiceCount: 2, receivedAmount: 0n },
    ...{ reference: null, provider: null, requisites: null, confirmTold: false, releasedAt: null, finishedAt: null },
  });
  const choices = await db.run({
    text: `select number, method, fee_bp, attempts_before, reference is not null as kept, hinted, due_at <= now() as due
             from page_choices where request_id = $1 order by number`,
    values: [requestId],
  });
  expect(choices).toEqual([
    { number: 1, method: "card-p2p", fee_bp: 100, attempts_before: 0, kept: true, hinted: true, due: true },
    { number: 2, method: "card-ecom", fee_bp: 300, attempts_before: 1, kept: false, hinted: false, due: null },
  ]);
  await happen({ ofChoice: 2, card: { kind: "sent" }, nextProvider: "sandbox" });
  const approved = { kind: "approved", amount, clearing: CLEARING } as const;
  const receivedFrom = { ...receipt, receiptReference: "charge" };
  await happen({ ofChoice: 2, card: approved, receivedFrom });
  await happen({ ofChoice: 2, card: approved, receivedFrom });
  expect(await findPayment(db, projectId, requestId)).toMatchObject({
    state: "success",
    fee: 30n,
    receivedAmount: 1000n,
  });
  const entries = await db.run<{ account: string; sum: string }>({
    text: "select account, sum(amount)::text as sum from entries where subject_id = $1 group by account order by account",
    values: [requestId],
  });
  expect(Object.fromEntries(entries.map(({ account, sum }) => [account, sum]))).toMatchObject({
    available: "970",
    fees: "30",
  });
});
