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
  ...{ number: 2, method: "card-ecom", card: { pan: "424242******4242", brand: "visa" } },
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

async function pay(formUrl: string, pan: string): Promise<void> {
  const answer = await fetch(`${formUrl}/card`, {
    ...{ method: "POST", headers: { "content-type": "application/json" } },
    body: JSON.stringify({ pan, ...CARD }),
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

it("a declined card and then another: info, the final callback, the account and the operator list both", {
  timeout: 240_000,
}, async () => {
  const { payin } = client().widget;
  const { payment: made } = await payin.create(request());
  expect(made).not.toHaveProperty("attempts");
  expect(await payin.info("tried-twice")).not.toHaveProperty("attempts");
  const formUrl = made.integration?.form_url ?? "";

  await pay(formUrl, "4000000000009995");
  const between = await vi.waitFor(async () => {
    const payment = await payin.info("tried-twice");
    expect(payment).toMatchObject({ attempts: [TRIED] });
    return payment;
  }, SOON);
  expect(between).toMatchObject({ status: "processing", sub_status: "new", decline_code: null });
  expect(between.attempts).toHaveLength(1);

  await pay(formUrl, "4242424242424242");
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
  // Only the end is final, and only it lists them.
  expect(told().filter(({ attempts }) => attempts !== undefined)).toEqual([final]);

  expect(await attemptsInAccount(made.request_id)).toEqual(paid.attempts);
  await expectInCommandLine(made.request_id);
});

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
  expect(text).toMatch(/\n2 +card-ecom +424242\*{6}4242 +\S+ +\S+ *\n/);
  const choice = { method: "card-ecom", bank: null, late_money: 0, chosen_at: TIME, ended_at: TIME };
  expect((await json("payment", "show", requestId)).choices).toEqual([
    { ...choice, number: 1, card: TRIED.card, decline_code: "insufficient_funds" },
    { ...choice, number: 2, card: PAID.card, decline_code: null },
  ]);
}
