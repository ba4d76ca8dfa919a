import { describe, expect, it, vi } from "vitest";
import { listMethodOffers, METHODS } from "../../src/core/merchants/methods.ts";
import { newId } from "../../src/platform/new-id.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  aClient,
  type MerchantClient,
  payinBody,
  payoutBody,
  TEST_PAN,
} from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox, ourBooks, sandboxBooks } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { stateOf, waitForState } from "../../src/testing/service/wait-for-payment.ts";

/** The whole life of payments by every method, through the API, with the sandbox as the outside world. */

// Most of it is waiting for others: a busy machine is no fault.
vi.setConfig({ testTimeout: 120_000 });

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

type Offer = ReturnType<typeof listMethodOffers>[number];
const offersOf = (direction: Offer["direction"]) =>
  listMethodOffers().filter((offer) => offer.direction === direction && METHODS[offer.method].product === "p2p");

const BANK_OF_CURRENCY: Record<string, string> = {
  RUB: "sberbank",
  KZT: "kaspi-bank",
  ARS: "banco-nacion",
  NGN: "zenith-bank",
};
/** Whose requisites are masked once it is over: enough to know them by, too little to use them. */
const REQUISITE_MEMBER = {
  card: "pan",
  phone: "phone",
  phone_and_bank: "phone",
  account: "account_number",
  link: "url",
};
const REQUISITE_TYPE = { card: "card", phone: "phone", phone_and_bank: "phone", account: "account", link: "link" };

async function callbacksOf(requestId: string) {
  return db.run<{ sequence: number; status: string; url: string }>({
    text: `select sequence, url, concat_ws(':', body->'status'->>'status', body->'status'->>'sub_status') as status
             from callbacks where request_id = $1 order by sequence`,
    values: [requestId],
  });
}

describe("a pay-in", () => {
  async function live(client: MerchantClient, { method, currency }: Offer): Promise<void> {
    const { requisite } = METHODS[method];
    const bank = requisite === "phone_and_bank" ? BANK_OF_CURRENCY[currency] : undefined;
    const general = { payment_id: newId(), merchant_callback_url: "http://127.0.0.1:9/hook" };
    const body = payinBody(client.projectId, {
      general,
      payment: { method, currency, amount: 250_000 },
      ...(bank === undefined ? {} : { sender: { bank } }),
    });
    const created = await client.payin(body);
    expect(created).toMatchObject({ status: 200, replayed: false });
    expect(created.json).toMatchObject({
      status: "processing",
      sub_status: "new",
      type: "payin",
      finished_at: null,
      decline_code: null,
      status_description: null,
      payment: { method, currency, amount: 250_000, requested_amount: 250_000, fee: 6_250, net: 243_750 },
    });
    expect(created.json.requisites).toBeUndefined();
    const info = () => client.payinInfo(general.payment_id);
    const awaiting = await waitForState(info, "processing:awaiting_confirm");
    const value = String(awaiting.requisites?.[REQUISITE_MEMBER[requisite]]);
    expect(awaiting.requisites).toMatchObject({ type: REQUISITE_TYPE[requisite], amount: 250_000, currency });
    expect(value).toMatch(
      requisite === "link" ? /^(http:\/\/127\.0\.0\.1:[0-9]+\/sandbox\/(qr|wallet)\/|tel:)/ : /^\+?\d{8,}$/,
    );
    if (bank !== undefined) expect(awaiting.requisites).toMatchObject({ bank });
    if (requisite !== "link") expect(awaiting.requisites?.bank_name).toEqual(expect.any(String));
    expect(stateOf((await client.payinConfirm(general.payment_id)).json)).toBe("processing:paid");
    const done = await waitForState(info, "success");
    expect(done.payment).toEqual({ ...created.json.payment, received_amount: 250_000 });
    expect(done.finished_at).toEqual(expect.any(String));
    const masked = String(done.requisites?.[REQUISITE_MEMBER[requisite]]);
    expect(masked).not.toBe(value);
    expect(masked.replace(service.url(), "").replace(/[^0-9]/g, "").length).toBeLessThanOrEqual(10);
    expect(await callbacksOf(done.request_id)).toEqual(
      ["processing:requisites", "processing:awaiting_confirm", "processing:paid", "success"].map((status, index) => ({
        sequence: index + 2,
        status,
        url: general.merchant_callback_url,
      })),
    );
  }

  it("of every method and currency: requisites of its kind, a confirm, success, and the net on the balance", async () => {
    const client = await aClient(db, service, { feeBp: 250 });
    const offers = offersOf("payin");
    await Promise.all(offers.map((offer) => live(client, offer)));
    for (const currency of new Set(offers.map((offer) => offer.currency))) {
      const count = offers.filter((offer) => offer.currency === currency).length;
      expect([currency, await client.available(currency)]).toEqual([currency, { amount: count * 243_750, locked: 0 }]);
    }
    const sandbox = await openTestSandbox(db, service);
    expect(await ourBooks(db, client.projectId)).toEqual(await sandboxBooks(sandbox, client.projectId));
    await sandbox.close();
  });

  it("takes its fee and its addresses from the moment and the body it was created with", async () => {
    const client = await aClient(db, service, { feeBp: 250 });
    const general = {
      payment_id: newId(),
      merchant_callback_url: "http://127.0.0.1:9/any",
      merchant_success_callback_url: "http://127.0.0.1:9/good",
    };
    const { json } = await client.payin(payinBody(client.projectId, { general, payment: { amount: 101 } }));
    await db.run({
      text: "update project_methods set fee_bp = 9000 where project_id = $1",
      values: [client.projectId],
    });
    // 2.5 % of 101 is 2.525, rounded half up.
    const done = await waitForState(() => client.payinInfo(general.payment_id), "success");
    expect(done.payment).toMatchObject({ amount: 101, fee: 3, net: 98 });
    expect(await client.available()).toEqual({ amount: 98, locked: 0 });
    expect((await callbacksOf(json.request_id)).at(-1)).toMatchObject({ url: "http://127.0.0.1:9/good" });
  });
});

describe("a payout", () => {
  function receiverOf({ method, currency }: Offer): object {
    const phone = "+79000000001";
    const bank = BANK_OF_CURRENCY[currency];
    const forms = {
      card: { pan: TEST_PAN, card_holder: "IVAN IVANOV" },
      phone: { phone },
      phone_and_bank: { phone, bank },
      account: { account_number: "40817810000000000001", bank, name: "Ivan Ivanov" },
      link: {},
    };
    return forms[METHODS[method].requisite];
  }

  async function live(client: MerchantClient, offer: Offer): Promise<void> {
    const { method, currency } = offer;
    const general = { payment_id: newId(), merchant_callback_url: "http://127.0.0.1:9/hook" };
    const payment = { method, currency, amount: 100_000 };
    const created = await client.payout(
      payoutBody(client.projectId, { general, payment, receiver: receiverOf(offer) }),
    );
    expect(created.json).toMatchObject({ status: "processing", sub_status: "new", type: "payout" });
    expect(created.json.payment).toEqual({ ...payment, requested_amount: 100_000, fee: 1_000 });
    const done = await waitForState(() => client.payoutInfo(general.payment_id), "success");
    expect(done.payment).toEqual(created.json.payment);
    expect(await callbacksOf(done.request_id)).toEqual(
      ["processing:payout_process", "success"].map((status, index) => ({
        sequence: index + 2,
        status,
        url: general.merchant_callback_url,
      })),
    );
  }

  it("of every method and currency: the sum and the fee are locked, and then gone", async () => {
    const client = await aClient(db, service, { feeBp: 100 });
    const offers = offersOf("payout");
    for (const { currency } of offers) await credit(db, client.projectId, 101_000, currency);
    const living = Promise.all(offers.map((offer) => live(client, offer)));
    await living;
    for (const { currency } of offers) expect(await client.available(currency)).toEqual({ amount: 0, locked: 0 });
    const sandbox = await openTestSandbox(db, service);
    const ours = await ourBooks(db, client.projectId);
    expect(ours).toEqual(await sandboxBooks(sandbox, client.projectId));
    expect(ours.RUB).toBe(BigInt(-100_000 * offers.filter(({ currency }) => currency === "RUB").length));
    await sandbox.close();
  });

  it("never shows its receiver, in no answer, callback, log or row that is not sealed", async () => {
    const client = await aClient(db, service);
    await credit(db, client.projectId, 100_000);
    const body = payoutBody(client.projectId, { general: { payment_id: newId() } });
    const { json } = await client.payout(body);
    await waitForState(() => client.payoutInfo(json.payment_id), "success");
    const [row] = await db.run<{ text: string }>({
      text: `select concat(to_jsonb(p) - 'receiver', (select json_agg(c.body) from callbacks c)) as text
               from payments p where request_id = $1`,
      values: [json.request_id],
    });
    expect(row?.text).toContain(json.payment_id);
    expect(row?.text).not.toContain(TEST_PAN);
    expect(JSON.stringify(json)).not.toContain(TEST_PAN);
    expect(service.logLines().join("")).not.toContain(TEST_PAN);
  });
});
