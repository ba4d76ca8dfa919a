import { describe, expect, it, vi } from "vitest";
import type { ChargeState } from "../../../core/card-acquirer.ts";
import type { CardHappening } from "../../../core/cards/decide-card.ts";
import type { PayinState, PayoutOutcome } from "../../../core/connector.ts";
import type { Id } from "../../../core/ids.ts";
import { newId } from "../../../platform/new-id.ts";
import { listAttempts } from "../../../store/payments/attempts.ts";
import { movePayments } from "../../../store/payments/move-clock.ts";
import type { PaymentKey } from "../../../store/payments/payments.ts";
import { aCardPayin, charged } from "../../../testing/builders/payments.ts";
import { aProject, minor } from "../../../testing/builders/projects.ts";
import { useTestDatabase } from "../../../testing/database/test-database.ts";
import { aFakeAcquirer } from "../../../testing/rigs/fake-acquirer.ts";
import { aFakeProvider, type FakeAnswers, ISSUED, PENDING, REFUSED } from "../../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../../testing/rigs/worker-rig.ts";
import { readPaymentDetail } from "../../reports/read-payment-detail.ts";
import { settlePayment } from "../settle-payment.ts";
import { noteFee } from "./provider-fee.ts";

/** What a provider keeps for itself: posted once, so that its clearing account is what it holds for us. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const SOON = { timeout: 60_000, interval: 5 };

async function aGate(answers: Partial<FakeAnswers>) {
  const code = `gate-${newId().slice(-12)}`;
  await db.run({
    text: "insert into providers (code, kind, book, base_url) values ($1, 'upstream', 'live', 'https://gate.example')",
    values: [code],
  });
  return aFakeProvider(code, answers);
}

function total(amount: number, fee?: number): PayinState {
  const money = { amount: minor(amount), receivedAt: new Date() };
  const kept = fee === undefined ? {} : { fee: minor(fee) };
  return { kind: "open", requisites: ISSUED.requisites, receipts: [], total: money, ...kept };
}

function paid(fee: number): PayoutOutcome {
  return { kind: "approved", fee: minor(fee) };
}

async function feesOf({ projectId, requestId }: PaymentKey): Promise<(bigint | null)[]> {
  return (await listAttempts(db, projectId, requestId)).map(({ fee }) => fee);
}

async function costsOf({ requestId }: PaymentKey): Promise<string[]> {
  const rows = await db.run<{ line: string }>({
    text: `select from_account || ' ' || amount as line from transfers where subject_id = $1 and kind = 'cost'`,
    values: [requestId],
  });
  return rows.map(({ line }) => line);
}

const settleThrough = async (requestId: Id, through: string) => {
  const words = { reference: newId(), reason: "seen at the provider's desk", actor: "olga" };
  expect(await settlePayment(db, { requestId, through, ...words })).toMatchObject({ ok: true });
};

describe("a pay-in", () => {
  it("costs what its provider keeps, in the commit of its money, and once", async () => {
    const gate = await aGate({ payin: () => total(1000, 7) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    expect(await rig.look(key)).toMatchObject({ state: "success", fee: 10n });
    await rig.look(key);
    expect([await feesOf(key), await costsOf(key)]).toEqual([[7n], ["fees 7"]]);
    expect([await rig.sumOf(key, `clearing:${gate.code}`), await rig.sumOf(key, "fees")]).toEqual([-993n, 3n]);
    const [{ commits } = { commits: 0 }] = await db.run<{ commits: number }>({
      text: "select count(distinct created_at)::int as commits from transfers where subject_id = $1",
      values: [key.requestId],
    });
    expect(commits).toBe(1);
  });

  it("costs it after the end too, and when the provider says it later", async () => {
    const gate = await aGate({ payin: () => total(900) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    await rig.look(key);
    expect([await rig.find(key), await feesOf(key)]).toMatchObject([{ state: "dispute:different_amount" }, [null]]);
    gate.answers.payin = () => total(900, 9);
    await rig.look(key);
    await rig.look(key);
    expect(await costsOf(key)).toEqual(["fees 9"]);
    expect(await rig.sumOf(key, `clearing:${gate.code}`)).toBe(-891n);
    const late = await rig.aPayin([gate]);
    gate.answers.payin = () => total(0);
    await rig.look(late);
    await rig.deps.apply({ ...late, payin: { kind: "cancelled" }, actor: "merchant" });
    gate.answers.payin = () => total(1000, 10);
    expect(await rig.look(late)).toMatchObject({ state: "decline", receivedAmount: 1000n });
    expect([await costsOf(late), await rig.sumOf(late, "suspense")]).toEqual([["fees 10"], 1000n]);
  });

  it("that an operator settled first costs it when its provider has said so", async () => {
    const gate = await aGate({ payin: () => total(0) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    await rig.deps.apply({ ...key, payin: { kind: "confirmed" }, actor: "merchant" });
    await settleThrough(key.requestId, gate.code);
    expect(await feesOf(key)).toEqual([null]);
    gate.answers.payin = () => total(1000, 7);
    expect(await rig.look(key)).toMatchObject({ state: "success", receivedAmount: 1000n, contradictedAt: null });
    expect([await costsOf(key), await rig.sumOf(key, `clearing:${gate.code}`)]).toEqual([["fees 7"], -993n]);
  });

  it("with a fee of nothing costs nothing, and that is known", async () => {
    const gate = await aGate({ payin: () => total(1000, 0) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    await rig.look(key);
    expect([await feesOf(key), await costsOf(key)]).toEqual([[0n], []]);
  });

  it.each([1001, -1])("whose provider says that it keeps %i of 1000 costs nothing, and is named", async (fee) => {
    const gate = await aGate({ payin: () => total(1000, fee) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    for (const _time of [1, 2])
      expect(await rig.look(key)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("names a fee that cannot be")]);
    expect([await feesOf(key), await costsOf(key)]).toEqual([[null], []]);
  });

  it("whose provider names more money than any fee can be is counted, and costs nothing", async () => {
    const gate = await aGate({ payin: () => total(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) });
    const key = await rig.aPayin([gate]);
    await rig.workOff();
    const receivedAmount = BigInt(Number.MAX_SAFE_INTEGER);
    expect(await rig.look(key)).toMatchObject({ state: "dispute:different_amount", receivedAmount });
    expect([await feesOf(key), await costsOf(key)]).toEqual([[null], []]);
  });

  it("shows its merchant nothing of it", async () => {
    const gate = await aGate({ payin: () => total(1000, 7) });
    const { projectId, merchantId } = await aProject(db, "live");
    const key = await rig.aPayin([gate], { projectId });
    await rig.workOff();
    await rig.look(key);
    const deps = { db, keyring: rig.deps.keyring, publicUrl: () => "https://pay.example", log: rig.deps.log };
    const projects = [{ id: projectId, name: "shop", book: "live" }] as const;
    const detail = await readPaymentDetail(deps, { merchantId, projects }, key.requestId);
    if (!detail.ok) throw new Error(detail.error);
    expect(detail.value.lines.map(({ kind }) => kind).sort()).toEqual(["fee", "settle"]);
  });
});

it("is noted once, however many processes learn of it at the same moment", async () => {
  const gate = await aGate({ payin: () => total(1000) });
  const key = await rig.aPayin([gate]);
  await rig.workOff();
  const payment = await rig.look(key);
  const said = { reference: payment.reference, fee: minor(7), feeMax: minor(1000) };
  await Promise.all([1, 2, 3, 4].map(() => noteFee(rig.deps, payment, said, async () => payment)));
  expect([await feesOf(key), await costsOf(key)]).toEqual([[7n], ["fees 7"]]);
});

describe("a payout", () => {
  it("costs what its provider charges, also more than its own amount", async () => {
    const gate = await aGate({ send: () => paid(12) });
    const key = await rig.aPayout([gate]);
    const small = await rig.aPayout([await aGate({ send: () => PENDING, payout: () => paid(50) })], { amount: 20 });
    await rig.workOff();
    expect(await rig.look(small)).toMatchObject({ state: "success" });
    expect([await feesOf(key), await costsOf(key), await costsOf(small)]).toEqual([[12n], ["fees 12"], ["fees 50"]]);
    expect([await rig.sumOf(key, `clearing:${gate.code}`), await rig.sumOf(key, "fees")]).toEqual([1012n, -2n]);
  });

  it("costs what the provider that paid it charges, and not the one that refused", async () => {
    const first = await aGate({ send: () => REFUSED });
    const second = await aGate({ send: () => paid(12) });
    const key = await rig.aPayout([first, second]);
    await rig.workOff();
    expect(await feesOf(key)).toEqual([null, 12n]);
    expect(await rig.sumOf(key, `clearing:${second.code}`)).toBe(1012n);
  });

  it("that was declined here and paid there is short of its amount, and the charge is a cost", async () => {
    const gate = await aGate({ send: () => REFUSED, payout: () => paid(12) });
    const key = await rig.aPayout([gate]);
    await rig.workOff();
    expect(await rig.look(key)).toMatchObject({ state: "decline", shortfallAt: expect.any(Date) });
    await rig.look(key);
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("shortfall")]);
    expect(await costsOf(key)).toEqual(["fees 12"]);
    const accounts = ["shortfall", `clearing:${gate.code}`];
    expect(await Promise.all(accounts.map((account) => rig.sumOf(key, account)))).toEqual([-1000n, 1012n]);
  });

  it("that an operator settled first costs it when its provider has said so", async () => {
    const gate = await aGate({ send: () => ({ kind: "may_have_left" }), payout: () => PENDING });
    const key = await rig.aPayout([gate]);
    await rig.workOff();
    await settleThrough(key.requestId, gate.code);
    expect(await costsOf(key)).toEqual([]);
    gate.answers.payout = () => paid(12);
    expect(await rig.look(key)).toMatchObject({ state: "success", contradictedAt: null });
    expect([await costsOf(key), await rig.sumOf(key, `clearing:${gate.code}`)]).toEqual([["fees 12"], 1012n]);
  });

  it("whose provider says that it is paid for it costs nothing, and is named", async () => {
    const key = await rig.aPayout([await aGate({ send: () => paid(-1) })]);
    await rig.workOff();
    expect(await rig.find(key)).toMatchObject({ state: "success", contradictedAt: expect.any(Date) });
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("names a fee that cannot be")]);
    expect(await costsOf(key)).toEqual([]);
  });
});

describe("a charge", () => {
  /** Looked at once so much time later, by a worker whose acquirer says this. */
  async function lookedAt(happenings: readonly CardHappening[], state: ChargeState, seconds: number) {
    const key = await aCardPayin(db, happenings);
    const cards = aFakeAcquirer({ state: () => state });
    const worker = rig.startWorker({ findConnector: () => ({ ...aFakeProvider("sandbox"), cards }) });
    await movePayments(db, key.projectId, seconds);
    await vi.waitFor(async () => expect(await feesOf(key)).not.toEqual([null]), SOON);
    await worker.stop();
    return key;
  }

  it("costs what its acquirer keeps", async () => {
    const key = await lookedAt([], { kind: "approved", amount: minor(1000), fee: minor(15) }, 31);
    expect(await rig.find(key)).toMatchObject({ state: "success" });
    expect([await costsOf(key), await rig.sumOf(key, "clearing:sandbox")]).toEqual([["fees 15"], -985n]);
  });

  it("costs it where the charge was counted before", async () => {
    const key = await lookedAt([charged(1000)], { kind: "approved", amount: minor(1000), fee: minor(15) }, 31);
    expect([await costsOf(key), await rig.sumOf(key, "clearing:sandbox")]).toEqual([["fees 15"], -985n]);
  });

  it("costs it after the end", async () => {
    const late = { kind: "approved", amount: minor(1000), fee: minor(15) } as const;
    const key = await lookedAt([{ kind: "expired" }], late, 31);
    await vi.waitFor(async () => expect(await rig.find(key)).toMatchObject({ releasedAt: expect.any(Date) }), SOON);
    expect(rig.errors.splice(0)).toEqual([expect.stringContaining("its provider cannot reverse it")]);
    expect([await costsOf(key), await rig.sumOf(key, "suspense")]).toEqual([["fees 15"], 1000n]);
    expect(await rig.sumOf(key, "clearing:sandbox")).toBe(-985n);
  });
});
