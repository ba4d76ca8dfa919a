import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { settlePayment } from "../../src/app/payments/settle-payment.ts";
import type { Id } from "../../src/core/ids.ts";
import { firstReferenceOf } from "../../src/testing/builders/payments.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { readAttention } from "../../src/testing/rigs/with-pool.ts";
import { aClient, type MerchantClient, payinBody, payoutBody } from "../../src/testing/service/merchant-client.ts";
import {
  openTestSandbox,
  ourBooks,
  sandboxBooks,
  type TestSandbox,
} from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { waitForState } from "../../src/testing/service/wait-for-payment.ts";

/** What each of the sandbox's amounts makes happen, seen as a merchant sees it. Where it takes minutes, the clock is moved. */

// Most of it is waiting for others: a busy machine is no fault.
vi.setConfig({ testTimeout: 120_000 });

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await openTestSandbox(db, service);
});
afterAll(async () => {
  await sandbox?.close();
});

const AWAITING = "processing:awaiting_confirm";

/** A pay-in of a project of its own, so that the project's clock is its clock. */
async function aPayin(lastDigits: string) {
  const client = await aClient(db, service);
  const amount = Number(`2500${lastDigits}`);
  const { json } = await client.payin(payinBody(client.projectId, { payment: { amount } }));
  const info = () => client.payinInfo(json.payment_id);
  return {
    amount,
    client,
    reaches: (state: string) => waitForState(info, state),
    confirm: () => client.payinConfirm(json.payment_id),
    cancel: () => client.payinCancel(json.payment_id),
    passTime: (seconds: number) => sandbox.passTime(client.projectId, seconds),
    suspense: () => suspenseOf(client),
    booksAgree: async () =>
      expect(await ourBooks(db, client.projectId)).toEqual(await sandboxBooks(sandbox, client.projectId)),
  };
}

async function suspenseOf({ projectId }: MerchantClient): Promise<number> {
  const [row] = await db.run<{ sum: string }>({
    text: "select coalesce(sum(amount), 0)::text as sum from entries where project_id = $1 and account = 'suspense'",
    values: [projectId],
  });
  return Number(row?.sum);
}

describe.concurrent("a pay-in whose amount ends with", () => {
  it("01: the transfer arrives without a confirm", async () => {
    const payin = await aPayin("01");
    await payin.reaches("success");
    expect(await payin.client.available()).toEqual({ amount: payin.amount, locked: 0 });
    await payin.booksAgree();
  });

  it("02: nothing arrives; the lifetime and the grace go by", async () => {
    const payin = await aPayin("02");
    await payin.reaches(AWAITING);
    await payin.passTime(901);
    expect((await payin.reaches("dispute:no_payment")).status_description).toEqual(expect.any(String));
    await payin.passTime(901);
    expect(await payin.reaches("decline")).toMatchObject({ decline_code: "expired" });
    expect((await payin.confirm()).json.code).toBe("wrong_state");
    await payin.booksAgree();
  });

  it("02, and confirmed: half an hour later somebody must look", async () => {
    const payin = await aPayin("02");
    await payin.reaches(AWAITING);
    expect(await payin.confirm()).toMatchObject({ status: 200 });
    await payin.passTime(901);
    await payin.reaches("processing:paid");
    await payin.passTime(900);
    await payin.reaches("dispute:confirm_timeout");
    expect(await payin.confirm()).toMatchObject({ status: 200, json: { sub_status: "confirm_timeout" } });
    expect((await payin.cancel()).json.code).toBe("wrong_state");
  });

  it("03: a hundred more arrive, and wait in suspense for somebody to decide", async () => {
    const payin = await aPayin("03");
    await payin.reaches(AWAITING);
    await payin.confirm();
    const disputed = await payin.reaches("dispute:different_amount");
    expect(disputed.payment).toMatchObject({
      amount: payin.amount,
      requested_amount: payin.amount,
      received_amount: payin.amount + 100,
    });
    expect([await payin.client.available(), await payin.suspense()]).toEqual([
      { amount: 0, locked: 0 },
      payin.amount + 100,
    ]);
    // Its timers are stopped.
    await payin.passTime(100_000);
    await payin.reaches("dispute:different_amount");
    await payin.booksAgree();
  });

  it("04: the transfer arrives a minute after the end, within the grace", async () => {
    const payin = await aPayin("04");
    await payin.reaches(AWAITING);
    await payin.passTime(905);
    await payin.reaches("dispute:no_payment");
    await payin.passTime(60);
    await payin.reaches("success");
    expect(await payin.client.available()).toEqual({ amount: payin.amount, locked: 0 });
    await payin.booksAgree();
  });

  it("05: there are no requisites", async () => {
    const payin = await aPayin("05");
    expect(await payin.reaches("decline")).toMatchObject({
      decline_code: "no_requisites",
      status_description: expect.any(String),
    });
  });

  it("06: the transfer arrives after the decline, which stands, and the money waits in suspense", async () => {
    const payin = await aPayin("06");
    await payin.reaches(AWAITING);
    expect(await payin.cancel()).toMatchObject({ status: 200, json: { status: "decline", decline_code: "cancelled" } });
    await vi.waitFor(async () => expect(await payin.suspense()).toBe(payin.amount), { timeout: 60_000, interval: 100 });
    const declined = await payin.reaches("decline");
    expect(declined).toMatchObject({ decline_code: "cancelled", payment: { received_amount: payin.amount } });
    expect(await payin.client.available()).toEqual({ amount: 0, locked: 0 });
    await payin.booksAgree();
  });

  it("anything else: the transfer arrives after the confirm", async () => {
    const payin = await aPayin("77");
    await payin.reaches(AWAITING);
    await payin.confirm();
    await payin.reaches("success");
    expect(await payin.client.available()).toEqual({ amount: payin.amount, locked: 0 });
    expect((await payin.confirm()).json.status).toBe("success");
    await payin.booksAgree();
  });
});

describe.concurrent("a payout whose amount ends with", () => {
  async function aPayout(lastDigits: string) {
    const client = await aClient(db, service, { feeBp: 100 });
    await credit(db, client.projectId, 1_000_000);
    const { json } = await client.payout(
      payoutBody(client.projectId, { payment: { amount: Number(`1000${lastDigits}`) } }),
    );
    const reaches = (state: string) => waitForState(() => client.payoutInfo(json.payment_id), state);
    return { client, json, reaches, cost: Number(json.payment.amount) + Number(json.payment.fee) };
  }

  it("01: the bank declines it, and all of it comes back", async () => {
    const { client, reaches } = await aPayout("01");
    expect(await reaches("decline")).toMatchObject({ decline_code: "provider_declined" });
    expect(await client.available()).toEqual({ amount: 1_000_000, locked: 0 });
  });

  it("02: it fails into a dispute, and stays locked", async () => {
    const { client, reaches, cost } = await aPayout("02");
    await reaches("dispute:payout_failed");
    expect(await client.available()).toEqual({ amount: 1_000_000 - cost, locked: cost });
  });

  it("03: nobody says what became of it, and after an hour somebody must look; then the bank pays", async () => {
    const { client, json, reaches, cost } = await aPayout("03");
    await reaches("processing:payout_process");
    await sandbox.passTime(client.projectId, 3_601);
    await reaches("dispute:payout_timeout");
    expect(await client.available()).toEqual({ amount: 1_000_000 - cost, locked: cost });
    expect(await sandbox.endPayout(firstReferenceOf(json), { status: "paid" })).toBe(true);
    await reaches("success");
    expect(await client.available()).toEqual({ amount: 1_000_000 - cost, locked: 0 });
    expect(await ourBooks(db, client.projectId)).toEqual(await sandboxBooks(sandbox, client.projectId));
  });

  it("03, paid by hand after its time, and the bank pays too: the shortfall is ours, and attention names it", async () => {
    const { client, json, reaches, cost } = await aPayout("03");
    await reaches("processing:payout_process");
    await sandbox.passTime(client.projectId, 3_601);
    await reaches("dispute:payout_timeout");
    const requestId = json.request_id as Id;
    const byHand = { through: "manual", reference: requestId, reason: "paid by wire", actor: "olga" };
    expect(await settlePayment(db, { requestId, ...byHand })).toMatchObject({ ok: true });
    const countShort = async () => (await readAttention(db)).shortfalls.reduce((sum, { count }) => sum + count, 0);
    const before = await countShort();
    expect(await sandbox.endPayout(firstReferenceOf(json), { status: "paid" })).toBe(true);
    await expect.poll(countShort, { timeout: 60_000 }).toBe(before + 1);
    await reaches("success");
    expect(await client.available()).toEqual({ amount: 1_000_000 - cost, locked: 0 });
    expect(await ourBooks(db, client.projectId)).toEqual(await sandboxBooks(sandbox, client.projectId));
  });

  it("anything else: it is paid", async () => {
    const { client, reaches, cost } = await aPayout("00");
    await reaches("success");
    expect(await client.available()).toEqual({ amount: 1_000_000 - cost, locked: 0 });
  });

  it("02, and the bank says later what became of it", async () => {
    const paid = await aPayout("02");
    const wrong = await aPayout("03");
    await paid.reaches("dispute:payout_failed");
    await sandbox.endPayout(firstReferenceOf(paid.json), { status: "paid" });
    await paid.reaches("success");
    await wrong.reaches("processing:payout_process");
    await sandbox.endPayout(firstReferenceOf(wrong.json), { status: "wrong_details" });
    await wrong.reaches("dispute:incorrect_requisites");
    await sandbox.endPayout(firstReferenceOf(wrong.json), { status: "rejected" });
    await wrong.reaches("decline");
    expect(await wrong.client.available()).toEqual({ amount: 1_000_000, locked: 0 });
  });
});
