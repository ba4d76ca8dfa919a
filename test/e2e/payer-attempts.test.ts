import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  createTillgate,
  credentialsFromSandboxFile,
  type TillgateCallback,
  verifyCallback,
  verifyStandardWebhook,
} from "../../sdk/src/index.ts";
import type { Id } from "../../src/core/ids.ts";
import { aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { openCommandLine, outcomesOf } from "../../src/testing/program/command-line.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What a merchant, its people and the operator see of a payer who needs several attempts. */
const database = useTestDatabase();
const service = useTestService(database);
const { print, json } = outcomesOf(openCommandLine(database.db));
let shop: CallbackReceiver;
beforeAll(async () => {
  shop = await openCallbackReceiver();
});
afterAll(() => shop.close());

const SOON = { timeout: 60_000, interval: 50 };
const CARD = { cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2040 };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const TRIED = {
  ...{ number: 1, method: "card-ecom", card: { pan: "400000******9995", brand: "visa" } },
  ...{ status: "decline", decline_code: "insufficient_funds", created_at: TIME, ended_at: TIME },
};
const PAID = {
  ...{ number: 2, method: "sbp-p2p", bank: "sberbank" },
  ...{ status: "success", decline_code: null, created_at: TIME, ended_at: TIME },
};

function client() {
  return createTillgate({ baseUrl: service.url(), credentials: credentialsFromSandboxFile(service.sandbox()) });
}

const request = () => ({
  general: { payment_id: "tried-twice", merchant_callback_url: `${shop.url}/callbacks` },
  payment: { amount: 250_000, currency: "RUB" as const },
  customer: { id: "customer-1" },
});

async function act(formUrl: string, deed: "card" | "choose", body: object): Promise<void> {
  const answer = await fetch(`${formUrl}/${deed}`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** Both signatures are checked, and both must give the same callback. */
function told(): TillgateCallback[] {
  const { callback_public_key_pem: publicKeyPem, webhook_secret: secret, project_id: projectId } = service.sandbox();
  return shop.received.map(({ headers, rawBody }) => {
    const callback = verifyStandardWebhook({ headers, rawBody, secret });
    expect(verifyCallback({ headers, rawBody, publicKeyPem, projectId })).toEqual(callback);
    return callback;
  });
}

it("a declined card and then a transfer: info, the final callback, the account and the operator list both", {
  timeout: 240_000,
}, async () => {
  const { payin } = client().widget;
  const { payment: made } = await payin.create(request());
  expect(made).not.toHaveProperty("attempts");
  expect(await payin.info("tried-twice")).not.toHaveProperty("attempts");
  const formUrl = made.integration?.form_url ?? "";

  await act(formUrl, "card", { pan: "4000000000009995", ...CARD });
  const between = await vi.waitFor(async () => {
    const payment = await payin.info("tried-twice");
    expect(payment).toMatchObject({ attempts: [TRIED] });
    return payment;
  }, SOON);
  expect(between).toMatchObject({ status: "processing", sub_status: "new", decline_code: null });
  expect(between.attempts).toHaveLength(1);

  await act(formUrl, "choose", { method: "payin-p2p-sbp", bank: "sberbank" });
  await vi.waitFor(async () => expect((await payin.info("tried-twice")).sub_status).toBe("awaiting_confirm"), SOON);
  const confirmed = await payin.confirm("tried-twice");
  expect(confirmed.attempts).toEqual([TRIED, { ...PAID, status: "processing", ended_at: null }]);
  const paid = await vi.waitFor(async () => {
    const payment = await payin.info("tried-twice");
    expect(payment.status).toBe("success");
    return payment;
  }, SOON);
  expect(paid.attempts).toEqual([TRIED, PAID]);
  expect(paid.attempts?.[1]?.ended_at).toBe(paid.finished_at);
  expect((await payin.create(request())).payment).toEqual(paid);

  const final = await vi.waitFor(() => {
    const found = told().find(({ status }) => status.sub_status === null);
    expect(found).toBeDefined();
    return found;
  }, SOON);
  expect(final).toMatchObject({ status: { status: "success" }, attempts: paid.attempts });
  // The merchant hears of no decline, and only the end lists the attempts.
  expect(told().map(({ status, attempts }) => [status.sub_status, attempts?.length])).toEqual([
    ["requisites", undefined],
    ["awaiting_confirm", undefined],
    ["paid", undefined],
    [null, 2],
  ]);

  await expectSameWhenReplayed(final?.event.id ?? "");

  expect(await attemptsInAccount(made.request_id)).toEqual(paid.attempts);
  await expectInCommandLine(made.request_id);
});

/** Sent again, from the queue and not from memory, it is the same to the byte. */
async function expectSameWhenReplayed(eventId: string): Promise<void> {
  const bodies = () =>
    shop.received.filter(({ body }) => body.event.id === eventId).map(({ rawBody }) => rawBody.toString());
  await vi.waitFor(async () => {
    const rows = await database.db.run({ text: "select state from callbacks where id = $1", values: [eventId] });
    expect(rows).toEqual([{ state: "delivered" }]);
  }, SOON);
  await print("callback", "replay", eventId);
  await vi.waitFor(() => expect(bodies()).toHaveLength(2), SOON);
  expect(bodies()[1]).toBe(bodies()[0]);
}

async function attemptsInAccount(requestId: string): Promise<unknown> {
  const owner = await aMember(database.db, service.sandbox().merchant_id as Id, "viewer");
  const account = openAccountClient(service.url(), (await sessionOf(database.db, owner, { steppedUp: false })).token);
  const { status, json: detail } = await account.get(`payments/${requestId}`);
  expect(status).toBe(200);
  return detail.attempts;
}

async function expectInCommandLine(requestId: string): Promise<void> {
  const text = await print("payment", "show", requestId);
  expect(text).toMatch(/Choices of the payer\nNUMBER +METHOD +BANK +CARD +CHOSEN +ENDED +DECLINED +LATE MONEY\n/);
  expect(text).toMatch(/\n1 +card-ecom +400000\*{6}9995 +\S+ +\S+ +insufficient_funds/);
  expect(text).toMatch(/\n2 +sbp-p2p +sberbank +\S+ +\S+ *\n/);
  const choice = { late_money: 0, chosen_at: TIME, ended_at: TIME };
  expect((await json("payment", "show", requestId)).choices).toEqual([
    { ...choice, number: 1, method: "card-ecom", bank: null, card: TRIED.card, decline_code: "insufficient_funds" },
    { ...choice, number: 2, method: "sbp-p2p", bank: "sberbank", card: null, decline_code: null },
  ]);
}
