import { describe, expect, it, vi } from "vitest";
import { openCreatePayments } from "../../src/app/payments/create-payments.ts";
import type { Currency } from "../../src/core/currency.ts";
import { newId } from "../../src/platform/new-id.ts";
import { endPause, insertPause } from "../../src/store/merchants/pauses.ts";
import { saveProjectLimits } from "../../src/store/merchants/project-limits.ts";
import { aNewPayin, BY_CARD } from "../../src/testing/builders/new-payments.ts";
import { credit, minor, RUB } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  aClient,
  type MerchantClient,
  openMerchantClient,
  payinBody,
  payoutBody,
} from "../../src/testing/service/merchant-client.ts";
import { settled, useTestService } from "../../src/testing/service/test-service.ts";
import { waitForState } from "../../src/testing/service/wait-for-payment.ts";

/** What the calls answer, in the right order and in the wrong one, once and again. */

// Most of it is waiting for others: a busy machine is no fault.
vi.setConfig({ testTimeout: 120_000 });

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

const WRONG_STATE = { status: 409, json: { status: "error", code: "wrong_state" } };
const NOT_FOUND = { status: 404, json: { code: "payment_not_found" } };

async function awaitingPayin(client: MerchantClient, amount = 250_000): Promise<string> {
  const { json } = await client.payin(payinBody(client.projectId, { payment: { amount } }));
  await waitForState(() => client.payinInfo(json.payment_id), "processing:awaiting_confirm");
  return json.payment_id;
}

/** Nobody is asked for requisites meanwhile, so that payments stay new. */
async function whileProviderIsPaused(work: () => Promise<void>): Promise<void> {
  const pause = { id: newId(), kind: "provider", name: "sandbox", reason: "test", actor: "test" } as const;
  await db.transaction((tx) => insertPause(tx, pause));
  await service.settled();
  await work();
  await db.transaction((tx) => endPause(tx, "provider", "sandbox", "test"));
  await service.settled();
}

describe("confirm and cancel", () => {
  it("before there are requisites: nothing to confirm, but it can be cancelled, and again", async () => {
    const client = await aClient(db, service);
    await whileProviderIsPaused(async () => {
      const { json } = await client.payin(payinBody(client.projectId));
      expect(await client.payinConfirm(json.payment_id)).toMatchObject(WRONG_STATE);
      const cancelled = { status: 200, json: { status: "decline", sub_status: null, decline_code: "cancelled" } };
      expect(await client.payinCancel(json.payment_id)).toMatchObject(cancelled);
      expect(await client.payinCancel(json.payment_id)).toMatchObject(cancelled);
      expect(await client.payinConfirm(json.payment_id)).toMatchObject(WRONG_STATE);
    });
  });

  it("a confirmed one cannot be cancelled; confirms may be repeated, to the end and after it", async () => {
    const client = await aClient(db, service);
    const paymentId = await awaitingPayin(client);
    const twins = await Promise.all(Array.from({ length: 10 }, () => client.payinConfirm(paymentId)));
    for (const twin of twins) expect(twin).toMatchObject({ status: 200, json: { status: "processing" } });
    expect(await client.payinCancel(paymentId)).toMatchObject(WRONG_STATE);
    await waitForState(() => client.payinInfo(paymentId), "success");
    expect(await client.payinConfirm(paymentId)).toMatchObject({ status: 200, json: { status: "success" } });
    expect(await client.payinCancel(paymentId)).toMatchObject(WRONG_STATE);
    expect(await client.available()).toEqual({ amount: 250_000, locked: 0 });
  });

  it("of two that come at once, one wins, and the answers say which", async () => {
    const client = await aClient(db, service);
    for (let round = 0; round < 4; round += 1) {
      const paymentId = await awaitingPayin(client, 250_002);
      const [confirmed, cancelled] = await Promise.all([client.payinConfirm(paymentId), client.payinCancel(paymentId)]);
      const { json } = await client.payinInfo(paymentId);
      const expected = json.status === "decline" ? [409, 200] : [200, 409];
      expect([confirmed.status, cancelled.status]).toEqual(expected);
    }
  });

  it("no payment is seen by another project, on another product's path, or in the other direction", async () => {
    const [client, stranger] = [await aClient(db, service), await aClient(db, service)];
    const paymentId = await awaitingPayin(client);
    for (const call of ["payinInfo", "payinConfirm", "payinCancel"] as const) {
      expect(await stranger[call](paymentId)).toMatchObject(NOT_FOUND);
      expect(await stranger[call](newId())).toMatchObject(NOT_FOUND);
    }
    expect(await client.payoutInfo(paymentId)).toMatchObject(NOT_FOUND);
    const ofEcom = aNewPayin(client.projectId, BY_CARD);
    expect(await openCreatePayments(db).payin(ofEcom)).toMatchObject({ ok: true });
    for (const call of ["payinInfo", "payinConfirm", "payinCancel"] as const) {
      expect(await client[call](ofEcom.paymentId)).toMatchObject(NOT_FOUND);
    }
    const taken = await client.payin(payinBody(client.projectId, { general: { payment_id: ofEcom.paymentId } }));
    expect(taken).toMatchObject({ status: 409, json: { code: "payment_id_conflict" } });
  });
});

describe("the same payment_id", () => {
  it("with the same body answers the first payment in its present state, and says so", async () => {
    const client = await aClient(db, service);
    const body = payinBody(client.projectId, { payment: { amount: 250_001 } });
    const first = await client.payin(body);
    expect([first.status, first.replayed, first.headers["idempotent-replayed"]]).toEqual([200, false, undefined]);
    await waitForState(() => client.payinInfo(first.json.payment_id), "success");
    // Members in another order are the same body.
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    for (const again of [await client.payin(body), await client.payin(reversed)]) {
      expect(again).toMatchObject({ status: 200, replayed: true });
      expect(again.json).toMatchObject({ request_id: first.json.request_id, status: "success" });
    }
    expect(await client.available()).toEqual({ amount: 250_001, locked: 0 });
  });

  it("with another body is refused, whatever differs, and changes nothing", async () => {
    const client = await aClient(db, service);
    const general = { payment_id: newId() };
    const first = await client.payin(payinBody(client.projectId, { general }));
    expect(first.status).toBe(200);
    for (const change of [
      { payment: { amount: 250_100 } },
      { payment: { currency: "KZT" } },
      { payment: { lifetime: 900 } },
      { payment: { description: "" } },
      { sender: {} },
      { customer: { id: "another" } },
      // Refused even where the new body would be refused for itself.
      { payment: { amount: 250_100, method: "sbp-p2p" }, sender: { bank: "no-such-bank" } },
    ]) {
      const other = await client.payin(payinBody(client.projectId, { general, ...change }));
      expect(other).toMatchObject({ status: 409, json: { code: "payment_id_conflict" } });
    }
  });

  it("may be used once in each direction", async () => {
    const client = await aClient(db, service);
    await credit(db, client.projectId, 100_000);
    const general = { payment_id: newId() };
    const payin = await client.payin(payinBody(client.projectId, { general }));
    const payout = await client.payout(payoutBody(client.projectId, { general }));
    expect([payin.status, payout.status, payout.replayed]).toEqual([200, 200, false]);
    expect(payin.json.request_id).not.toBe(payout.json.request_id);
  });

  it.each([
    ["255 characters beyond the first plane", "😀".repeat(255)],
    ["quotes and backslashes", `'";--\\"'\\'$1%s\${x}{{`],
    ["letters and marks of many scripts, right-to-left ones too", "заказ-①-ש\u200f-ع-é"],
    ["blanks at both ends", "  order  "],
    ["what looks like a path or an object", "../../__proto__/constructor"],
  ])("may be %s", async (_, paymentId) => {
    const client = await aClient(db, service);
    const body = payinBody(client.projectId, { general: { payment_id: paymentId } });
    const { status, json } = await client.payin(body);
    expect([status, json.payment_id]).toEqual([200, paymentId]);
    expect(await client.payin(body)).toMatchObject({ replayed: true, json: { request_id: json.request_id } });
    expect((await client.payinInfo(paymentId)).json.request_id).toBe(json.request_id);
    expect(await client.payinInfo(`${paymentId.slice(0, -2)}`)).toMatchObject(NOT_FOUND);
  });
});

describe("where a payment goes", () => {
  it("a provider may be named; one that the service does not know is a fault of the body", async () => {
    const client = await aClient(db, service);
    const named = await client.payin(payinBody(client.projectId, { payment: { payment_system: "sandbox" } }));
    await waitForState(() => client.payinInfo(named.json.payment_id), "processing:awaiting_confirm");
    const unknown = await client.payin(payinBody(client.projectId, { payment: { payment_system: "nobody" } }));
    expect(unknown).toMatchObject({ status: 400, json: { errors: [{ field: "payment.payment_system" }] } });
    const live = await aClient(db, service, { book: "live" });
    const mixed = await live.payin(payinBody(live.projectId, { payment: { payment_system: "sandbox" } }));
    expect(mixed).toMatchObject({ status: 403, json: { code: "method_not_enabled" } });
  });

  it("without a sandbox test projects take nothing new, but what they have is answered", async () => {
    const client = await aClient(db, service);
    const body = payinBody(client.projectId);
    const created = await client.payin(body);
    const without = await service.startSibling({ TILLGATE_SANDBOX_DATABASE_URL: "" }, "api");
    const there = openMerchantClient(() => without.localUrl, client.credentials);
    const refused = await there.payin(payinBody(client.projectId));
    expect(refused).toMatchObject({ status: 503, json: { code: "unavailable" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(await there.payin(body)).toMatchObject({
      status: 200,
      replayed: true,
      json: { request_id: created.json.request_id },
    });
    expect((await there.payinInfo(created.json.payment_id)).status).toBe(200);
  });
});

describe("the limits of a day", () => {
  it("refuse what is beyond them, forgive repeats, hold with two processes, and give back what was declined", async () => {
    const client = await aClient(db, service);
    const limits = { countMax: 4, sumMax: null, customerCountMax: null, customerSumMax: minor(750_000) };
    const ofDay = { projectId: client.projectId, direction: "payin", currency: RUB as Currency } as const;
    await db.transaction((tx) => saveProjectLimits(tx, { ...ofDay, ...limits }));
    const sibling = await service.startSibling({}, "api");
    await Promise.all([service.settled(), settled(database, sibling.localUrl)]);
    const there = openMerchantClient(() => sibling.localUrl, client.credentials);
    const bodies = Array.from({ length: 24 }, (_, index) =>
      payinBody(client.projectId, { payment: { amount: 250_000 }, customer: { id: `customer-${index % 2}` } }),
    );
    const answers = await Promise.all(bodies.map((body, index) => (index % 4 < 2 ? client : there).payin(body)));
    const accepted = bodies.filter((_, index) => answers[index]?.status === 200);
    expect(accepted).toHaveLength(4);
    const codes = new Set(
      answers.filter(({ status }) => status !== 200).map(({ status, json }) => `${status} ${json.code}`),
    );
    expect(codes).toEqual(new Set(["422 amount_out_of_limits"]));
    for (const body of accepted) expect(await there.payin(body)).toMatchObject({ status: 200, replayed: true });
    const [first] = accepted as [{ general: { payment_id: string } }];
    const again = () => client.payin(payinBody(client.projectId, { customer: { id: "customer-9" } }));
    expect(await again()).toMatchObject({ status: 422 });
    expect(await client.payinCancel(first.general.payment_id)).toMatchObject({ status: 200 });
    expect(await again()).toMatchObject({ status: 200 });
    expect(await again()).toMatchObject({ status: 422 });
  });

  it("of a customer", async () => {
    const client = await aClient(db, service);
    const limits = { countMax: null, sumMax: null, customerCountMax: null, customerSumMax: minor(500_000) };
    const ofDay = { projectId: client.projectId, direction: "payin", currency: RUB as Currency } as const;
    await db.transaction((tx) => saveProjectLimits(tx, { ...ofDay, ...limits }));
    await service.settled();
    const pay = (id: string, amount: number) =>
      client.payin(payinBody(client.projectId, { customer: { id }, payment: { amount } }));
    expect((await pay("one", 250_000)).status).toBe(200);
    expect(await pay("one", 250_100)).toMatchObject({ status: 422, json: { code: "amount_out_of_limits" } });
    expect((await pay("one", 250_000)).status).toBe(200);
    expect((await pay("one", 1)).status).toBe(422);
    expect((await pay("other", 500_000)).status).toBe(200);
  });
});
