import { describe, expect, it } from "vitest";
import type { PayinState } from "../../../core/connector.ts";
import type { Currency } from "../../../core/currency.ts";
import { newId } from "../../../platform/new-id.ts";
import { claimEndedChoices } from "../../../store/page/ended-choices.ts";
import { listAttempts } from "../../../store/payments/attempts.ts";
import { listReceipts } from "../../../store/payments/payment-trail.ts";
import type { PaymentKey, StoredPayment } from "../../../store/payments/payments.ts";
import { aNewPayin } from "../../../testing/builders/new-payments.ts";
import { referenceOf } from "../../../testing/builders/payments.ts";
import { aProject, minor } from "../../../testing/builders/projects.ts";
import { useTestDatabase } from "../../../testing/database/test-database.ts";
import { aFakeProvider, type FakeProvider, ISSUED } from "../../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../../testing/rigs/worker-rig.ts";
import { clockFrom } from "../../../worker/jobs.ts";
import { openApplyToChoice } from "../../page/apply-to-choice.ts";
import { endedPayment } from "../../page/ended-payment.ts";
import { openApplyPayments } from "../apply-payments.ts";
import { openCreatePayments } from "../create-payments.ts";
import type { PaymentEvent } from "../payment-event.ts";
import { settlePayment } from "../settle-payment.ts";
import { workOnPayin } from "../work-on-payin.ts";

/** A provider that names no pieces of money: it says how much has arrived so far. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);

function total(amount: number): PayinState {
  return { kind: "open", requisites: ISSUED.requisites, receipts: [], total: money(amount) };
}

function money(amount: number) {
  return { amount: minor(amount), receivedAt: new Date() };
}

/** A pay-in of 1000 whose requisites are out, at a provider that an operator configured. */
async function issued(): Promise<{ readonly key: PaymentKey; readonly provider: FakeProvider }> {
  const code = `gate-${newId().slice(-12)}`;
  await db.run({
    text: "insert into providers (code, kind, book, base_url) values ($1, 'upstream', 'live', 'https://gate.example')",
    values: [code],
  });
  const provider = aFakeProvider(code, { payin: () => total(0) });
  const key = await rig.aPayin([provider]);
  await rig.workOff();
  expect(await rig.find(key)).toMatchObject({ state: "processing:awaiting_confirm" });
  return { key, provider };
}

/** A look of another process at the payment as it was read then. */
async function lookAt(
  payment: StoredPayment,
  state: PayinState,
  beforeApply: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const provider = aFakeProvider(payment.provider ?? "", { payin: () => state });
  const applyNow = openApplyPayments(db);
  const apply = async (event: PaymentEvent) => {
    await beforeApply();
    return applyNow(event);
  };
  const deps = { ...rig.deps, apply, findConnector: () => provider };
  await workOnPayin({ ...deps, clock: clockFrom(new Date()), lease: undefined }, payment);
}

async function countedOf(key: PaymentKey): Promise<string[]> {
  const reference = await referenceOf(db, key);
  const receipts = await listReceipts(db, key);
  return receipts.map((receipt) => `${receipt.receiptReference.replace(reference, "ours")} ${receipt.amount}`).sort();
}

describe("a total", () => {
  it("is counted as it grows, each part once", async () => {
    const { key, provider } = await issued();
    provider.answers.payin = () => total(400);
    expect(await rig.look(key)).toMatchObject({ state: "dispute:different_amount", receivedAmount: 400n });
    await rig.look(key);
    provider.answers.payin = () => total(1000);
    expect(await rig.look(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
    await rig.look(key);
    expect(await countedOf(key)).toEqual(["ours:after:0 400", "ours:after:400 600"]);
    expect(await rig.sumOf(key, `clearing:${provider.code}`)).toBe(-1000n);
    provider.answers.payin = () => total(1300);
    expect(await rig.look(key)).toMatchObject({ state: "success", receivedAmount: 1300n });
    expect(await rig.sumOf(key, "suspense")).toBe(300n);
  });

  it("in another currency is of another request: nothing is counted, and an operator is told", async () => {
    const { key, provider } = await issued();
    provider.answers.payin = () => ({ ...total(1000), currency: "KZT" as Currency, fee: minor(10) });
    expect(await rig.look(key)).toMatchObject({ state: "processing:awaiting_confirm", receivedAmount: 0n });
    await rig.deps.apply({ ...key, payin: { kind: "confirmed" }, actor: "merchant" });
    const state = { ...total(1000), currency: "KZT" as Currency };
    provider.answers.confirm = async () => ({ kind: "done", state });
    expect(await rig.look(key)).toMatchObject({ state: "processing:paid", receivedAmount: 0n });
    expect(rig.errors.splice(0)).toEqual([1, 2].map(() => expect.stringContaining("in another currency")));
    expect(await rig.sumOf(key, `clearing:${provider.code}`)).toBe(0n);
  });

  it("is counted after the end", async () => {
    const { key, provider } = await issued();
    await rig.deps.apply({ ...key, payin: { kind: "cancelled" }, actor: "merchant" });
    provider.answers.payin = () => ({ kind: "declined", receipts: [], total: money(250) });
    expect(await rig.look(key)).toMatchObject({ state: "decline", receivedAmount: 250n });
    expect(await rig.sumOf(key, "suspense")).toBe(250n);
  });

  const ORDERS = [
    [300, 700, 1000],
    [1000, 700, 300],
    [700, 300, 1000],
    [1000, 1000, 1000],
    [300, 1000, 300],
  ];

  it.each(ORDERS)("seen as %i, %i and %i at the same moment is never counted beyond the largest", async (...seen) => {
    const { key } = await issued();
    const before = await rig.find(key);
    await Promise.all(seen.map((amount) => lookAt(before, total(amount))));
    const counted = (await rig.find(key)).receivedAmount;
    expect(seen.map(BigInt)).toContain(counted);
    await lookAt(await rig.find(key), total(1000));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
  });

  it("that is older than what was counted meanwhile changes nothing and contradicts nothing", async () => {
    const { key } = await issued();
    const before = await rig.find(key);
    await lookAt(before, total(1000));
    await lookAt(before, total(400));
    await lookAt(before, total(0));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
  });

  it.each<[string, PayinState]>([
    ["falls", total(600)],
    ["is gone", { kind: "declined", receipts: [], total: money(0) }],
  ])("that %s was taken back: an operator is told once, and nothing is uncounted", async (_, fallen) => {
    const { key, provider } = await issued();
    provider.answers.payin = () => total(1000);
    await rig.look(key);
    provider.answers.payin = () => fallen;
    for (const _time of [1, 2])
      expect(await rig.look(key)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("the provider contradicts")]);
    expect(await countedOf(key)).toEqual(["ours:after:0 1000"]);
  });
});

describe("an operator who settled it through the provider", () => {
  const settle = async (key: PaymentKey, through: string) => {
    await rig.deps.apply({ ...key, payin: { kind: "confirmed" }, actor: "merchant" });
    const words = { reference: newId(), reason: "seen at the provider's desk", actor: "olga" };
    expect(await settlePayment(db, { requestId: key.requestId, through, ...words })).toMatchObject({ ok: true });
  };

  it("has counted what the provider reports later, also where a look was about to count it", async () => {
    const { key, provider } = await issued();
    await lookAt(await rig.find(key), total(1000), () => settle(key, provider.code));
    await lookAt(await rig.find(key), total(1000));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
    expect(await rig.sumOf(key, `clearing:${provider.code}`)).toBe(-1000n);
  });

  it("and settled it another way: what the provider reports is further money", async () => {
    const { key } = await issued();
    await settle(key, "manual");
    await lookAt(await rig.find(key), total(1000));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 2000n });
    expect(await rig.sumOf(key, "suspense")).toBe(1000n);
  });
});

describe("a payer who chose again", () => {
  const RATES = { basisPoints: 100, fixed: minor(0) };
  const CHOICE = { method: "card-p2p", rates: RATES, lifetimeS: 900, bank: undefined, card: undefined } as const;

  /** Left the requisites of one attempt, and has those of the next, of the same provider. */
  async function left() {
    const { projectId } = await aProject(db);
    const requestId = newId();
    const key = { projectId, requestId };
    const page = { ...key, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
    const terms = { product: "widget", method: null, rates: null, lifetimeS: 600, requestId } as const;
    await openCreatePayments(db).widgetPayin({ ...aNewPayin(projectId, terms), page });
    const happen = async (event: Partial<PaymentEvent>) =>
      expect(await rig.deps.apply({ ...key, actor: "test", ...event } as PaymentEvent)).toMatchObject({ ok: true });
    const choose = async () => {
      await happen({ payin: { kind: "chosen" }, choice: CHOICE });
      await happen({ payin: { kind: "submitted" }, nextProvider: "gate" });
      await happen({ payin: { kind: "requisites_issued" }, requisites: Buffer.from("sealed") });
    };
    await choose();
    await happen({ payin: { kind: "left" }, ofChoice: 1 });
    await choose();
    return key;
  }

  async function lookAtLeft(state: PayinState): Promise<void> {
    const [claimed] = await claimEndedChoices(db, { countMax: 10, leaseS: 60 });
    if (claimed === undefined) throw new Error("the choice was not due");
    const { choice, payment, now } = claimed;
    const { method, provider, reference } = choice;
    const findConnector = () => aFakeProvider("gate", { payin: () => state });
    const deps = { ...rig.deps, findConnector, apply: openApplyToChoice(db, choice), clock: clockFrom(now) };
    const ended = endedPayment({ ...payment, method, provider, reference }, choice);
    await workOnPayin({ ...deps, lease: undefined }, ended);
    await db.run({ text: "update page_choices set lease_until = null, due_at = now() where ended_at is not null" });
  }

  it("has each attempt counted by itself, though both are at one provider", async () => {
    const key = await left();
    await lookAtLeft(total(300));
    await lookAt(await rig.find(key), total(1000));
    await lookAtLeft(total(500));
    await lookAtLeft(total(500));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
    const amounts = (await listReceipts(db, key)).map(({ amount }) => amount);
    expect(amounts.sort()).toEqual([1000n, 200n, 300n]);
    expect([await rig.sumOf(key, "suspense"), await rig.sumOf(key, "clearing:gate")]).toEqual([500n, -1500n]);
    await lookAtLeft(total(0));
    expect(await rig.find(key)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("the provider contradicts")]);
  });

  it("and whose first card was charged late at the same provider: that charge is not what the second attempt brought", async () => {
    const key = await left();
    const [first] = await listAttempts(db, key.projectId, key.requestId);
    const charged = { provider: "gate", receiptReference: first?.reference ?? "", amount: minor(1000) };
    await openApplyToChoice(db, { number: 1 })({
      ...{ ...key, actor: "provider", payin: { kind: "received", amount: minor(1000), clearing: "clearing:gate" } },
      receivedFrom: { ...charged, receivedAt: new Date() },
    });
    await lookAt(await rig.find(key), total(1000));
    expect(await rig.find(key)).toMatchObject({ state: "success", receivedAmount: 1000n });
    expect([await rig.sumOf(key, "suspense"), await rig.sumOf(key, "clearing:gate")]).toEqual([1000n, -2000n]);
  });
});
