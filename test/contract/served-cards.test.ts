import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Payment } from "../../sdk/src/index.ts";
import { json, startServer } from "../../sdk/test/local-server.ts";
import type { SandboxControl, SandboxFault } from "../../src/connectors/sandbox/control.ts";
import { openPage, submitForm } from "../../src/sandbox/test-browser.ts";
import { movePayments } from "../../src/store/payments/move-clock.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { answerIssuer, passThroughPage, WRONG_CODE } from "../payer-browser.ts";
import { contractWith } from "./ask-service.ts";
import { loadContract } from "./contract.ts";

/** Takes card payments through every state that the sandbox can bring about, and holds every answer to the document. */
const database = useTestDatabase();
const service = useTestService(database);
const { ask } = contractWith(service);
const { validateCallback } = loadContract();

const PAYIN = "/api/v1/payment/ecom/payin";
const CONFIRM = `${PAYIN}/confirm-3ds-result`;
const PAYOUT = "/api/v1/payment/ecom/payout";
const customer = { id: "customer-1", ip_address: "192.0.2.1" };
const APPROVED = "4242424242424242";
const THREE_DS_2 = "4000000000003220";
const THREE_DS_1 = "4111111111111111";
const DAY_S = 86_400;

let shop: Awaited<ReturnType<typeof startServer>>;
let control: SandboxControl;
let counted = 0;
beforeAll(async () => {
  shop = await startServer(json(200, {}));
  control = await openTestSandbox(database.db, service);
});
afterEach(async () => {
  expect(await control.clearFaults(service.sandbox().project_id)).toBe(true);
});
afterAll(async () => {
  await control.close();
  await shop.close();
});

function general(paymentId: string): { project_id: string; payment_id: string } {
  return { project_id: service.sandbox().project_id, payment_id: paymentId };
}

async function create(path: string, part: object, amount = 250000): Promise<string> {
  counted += 1;
  const paymentId = `card-${counted}`;
  const urls = { merchant_callback_url: `${shop.url}/callbacks`, redirect_url: `${shop.url}/orders` };
  const payment = { method: "card-ecom", amount, currency: "RUB" };
  const created = await ask(path, { general: { ...general(paymentId), ...urls }, payment, ...part, customer });
  expect([created.status, created.json.status, created.json.sub_status]).toEqual([200, "processing", "new"]);
  return paymentId;
}

function charge(pan: string): Promise<string> {
  return create(PAYIN, { card: { pan, cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 } });
}

async function reaches(path: string, paymentId: string, status: string, subStatus: string | null): Promise<Payment> {
  return vi.waitFor(
    async () => {
      const { json: answered } = await ask(`${path}/info`, { general: general(paymentId) });
      expect([answered.status, answered.sub_status]).toEqual([status, subStatus]);
      return answered as unknown as Payment;
    },
    { timeout: 60_000, interval: 100 },
  );
}

async function challenged(pan: string) {
  const paymentId = await charge(pan);
  const { integration } = await reaches(PAYIN, paymentId, "processing", "awaiting_3ds_result");
  const { three_ds: threeDs, redirect_url: redirectUrl } = integration ?? {};
  if (threeDs === undefined || redirectUrl === undefined) throw new Error("there is no way on");
  return { paymentId, threeDs, redirectUrl };
}

async function confirm(paymentId: string, three_ds: object): Promise<[number, unknown]> {
  const { status, json: answered } = await ask(CONFIRM, { general: general(paymentId), three_ds });
  return [status, status === 200 ? answered.status : answered.code];
}

/** Under its reference the provider may have the charge, whatever it answered. */
async function referenceOf(paymentId: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const rows = await database.db.run<{ reference: string | null }>({
        text: "select reference from payments where payment_id = $1",
        values: [paymentId],
      });
      const reference = rows[0]?.reference;
      if (typeof reference !== "string") throw new Error("it was not sent yet");
      return reference;
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** By the sandbox's own books. */
async function isCharged(paymentId: string): Promise<void> {
  const reference = await referenceOf(paymentId);
  await vi.waitFor(
    async () => {
      const page = await control.listEntries({ projectId: service.sandbox().project_id, limit: 1_000 });
      expect(page?.entries.map((entry) => entry.reference)).toContain(reference);
    },
    { timeout: 60_000, interval: 50 },
  );
}

/** Has the sandbox do something once that no card stands for. */
async function wish(fault: Omit<SandboxFault & { projectId: string }, "projectId">): Promise<void> {
  const projectId = service.sandbox().project_id;
  expect(await control.addFault({ ...fault, projectId } as SandboxFault)).toBe(true);
}

describe("a card pay-in", () => {
  it.each([
    [APPROVED, "success", null, "visa"],
    ["5555555555554444", "success", null, "mastercard"],
    ["2202208311110010", "success", null, "mir"],
    ["4000000000000002", "decline", "provider_declined", "visa"],
    ["4000000000009995", "decline", "insufficient_funds", "visa"],
    ["4000000000000069", "decline", "card_expired", "visa"],
    ["4000000000000119", "decline", "provider_declined", "visa"],
  ])("with %s ends as documented: %s %s", async (pan, status, declineCode, brand) => {
    const end = await reaches(PAYIN, await charge(pan), status, null);
    expect([end.decline_code, end.integration]).toEqual([declineCode, undefined]);
    expect(end.card).toEqual({ pan: `${pan.slice(0, 6)}******${pan.slice(-4)}`, brand });
    expect(end.payment.received_amount).toBe(status === "success" ? 250000 : undefined);
  });

  it.each([THREE_DS_2, "2200111753579001", THREE_DS_1])("with %s goes to the issuer and back", async (pan) => {
    const { paymentId, redirectUrl } = await challenged(pan);
    const back = await passThroughPage(redirectUrl);
    expect([back.status, back.headers.get("location")]).toEqual([303, `${shop.url}/orders?payment_id=${paymentId}`]);
    expect((await reaches(PAYIN, paymentId, "success", null)).integration).toBeUndefined();
  });

  it("whose payer gives three wrong codes is declined", async () => {
    const { paymentId, redirectUrl } = await challenged(THREE_DS_2);
    await passThroughPage(redirectUrl, WRONG_CODE, WRONG_CODE, WRONG_CODE);
    expect((await reaches(PAYIN, paymentId, "decline", null)).decline_code).toBe("three_ds_failed");
  });

  it("whose payer does not come back is declined when its time is over", async () => {
    const { paymentId } = await challenged(THREE_DS_2);
    await movePayments(database.db, service.sandbox().project_id as never, 601);
    expect((await reaches(PAYIN, paymentId, "decline", null)).decline_code).toBe("expired");
  });

  it("can be taken on at a page of the provider, where no result of the issuer is awaited", async () => {
    await wish({ kind: "plain_redirect" });
    const paymentId = await charge(APPROVED);
    const { integration } = await reaches(PAYIN, paymentId, "processing", "awaiting_redirect_result");
    expect(Object.keys(integration ?? {})).toEqual(["redirect_url"]);
    expect(await confirm(paymentId, { cres: "eyJj" })).toEqual([409, "wrong_state"]);
    const forwarded = await openPage(integration?.redirect_url ?? "");
    const paid = await submitForm(await openPage(forwarded.headers.get("location") ?? ""), {}, "Pay");
    const back = await openPage(paid.headers.get("location") ?? "");
    expect(back.headers.get("location")).toBe(`${shop.url}/orders?payment_id=${paymentId}`);
    await reaches(PAYIN, paymentId, "success", null);
  });

  it("that is charged with another amount is disputed", async () => {
    await wish({ kind: "wrong_amount" });
    const disputed = await reaches(PAYIN, await charge(APPROVED), "dispute", "different_amount");
    expect(disputed.payment).toMatchObject({ requested_amount: 250000, received_amount: 250100 });
    expect(await confirm(disputed.payment_id, { cres: "eyJj" })).toEqual([200, "dispute"]);
  });

  it("whose acquirer is silent is settled when it is asked again", async () => {
    const paymentId = await charge("4100401111100062");
    // The acquirer gives no hint: it is asked when its time has come.
    await isCharged(paymentId);
    await reaches(PAYIN, paymentId, "processing", "new");
    await movePayments(database.db, service.sandbox().project_id as never, 31);
    await reaches(PAYIN, paymentId, "success", null);
  });

  it("of which nobody can say what became of it stays, and is disputed after a day", { timeout: 240_000 }, async () => {
    await wish({ kind: "reset", call: "create" });
    await wish({ kind: "error500_before", call: "state", times: "always" });
    const paymentId = await charge(APPROVED);
    expect(await confirm(paymentId, { cres: "eyJj" })).toEqual([409, "wrong_state"]);
    await referenceOf(paymentId);
    const projectId = service.sandbox().project_id;
    await movePayments(database.db, projectId as never, 601);
    await reaches(PAYIN, paymentId, "processing", "new");
    await movePayments(database.db, projectId as never, DAY_S);
    await reaches(PAYIN, paymentId, "dispute", "confirm_timeout");
  });
});

describe("a result of 3-D Secure", () => {
  it.each([THREE_DS_2, THREE_DS_1])(
    "of %s that the shop brings ends the payment, and may be brought again",
    async (pan) => {
      const { paymentId, threeDs } = await challenged(pan);
      const { result } = await answerIssuer(threeDs);
      expect(await confirm(paymentId, result)).toEqual([200, "success"]);
      expect(await confirm(paymentId, result)).toEqual([200, "success"]);
      expect(await confirm(paymentId, { cres: "anything at all" })).toEqual([200, "success"]);
    },
  );

  it("that a browser brings is passed on by POST to the shop", async () => {
    const { paymentId, threeDs } = await challenged(THREE_DS_1);
    const { returnUrl, fields, result } = await answerIssuer(threeDs);
    const page = await fetch(returnUrl, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
    const text = await page.text();
    expect([page.status, text.includes(`action="${shop.url}/orders"`)]).toEqual([200, true]);
    expect(Object.keys(fields).every((name) => text.includes(`name="${name}"`))).toBe(true);
    expect(await confirm(paymentId, result)).toEqual([200, "success"]);
  });

  it("that says no declines", async () => {
    const { paymentId, threeDs } = await challenged(THREE_DS_2);
    const { result } = await answerIssuer(threeDs, WRONG_CODE, WRONG_CODE, WRONG_CODE);
    expect(await confirm(paymentId, result)).toEqual([200, "decline"]);
    expect((await reaches(PAYIN, paymentId, "decline", null)).decline_code).toBe("three_ds_failed");
  });

  it("that is not the issuer's is refused, and changes nothing", async () => {
    const { paymentId, threeDs } = await challenged(THREE_DS_2);
    const other = await answerIssuer((await challenged(THREE_DS_2)).threeDs);
    expect(await confirm(paymentId, { cres: "eyJj" })).toEqual([422, "three_ds_result_invalid"]);
    expect(await confirm(paymentId, other.result)).toEqual([422, "three_ds_result_invalid"]);
    expect(await confirm(paymentId, { pa_res: "p", md: "m" })).toEqual([422, "three_ds_result_invalid"]);
    await reaches(PAYIN, paymentId, "processing", "awaiting_3ds_result");
    expect(await confirm(paymentId, (await answerIssuer(threeDs)).result)).toEqual([200, "success"]);
  });

  it("after which the acquirer still works on it leaves the payment paid", async () => {
    await wish({ kind: "slow_approval", ms: 3_000 });
    const { paymentId, threeDs } = await challenged(THREE_DS_2);
    const { result } = await answerIssuer(threeDs);
    expect(await confirm(paymentId, result)).toEqual([200, "processing"]);
    expect(await confirm(paymentId, result)).toEqual([200, "processing"]);
    await reaches(PAYIN, paymentId, "success", null);
  });

  it("must be whole", async () => {
    const { paymentId } = await challenged(THREE_DS_2);
    const wrong = [{}, { pa_res: "p" }, { md: "m" }, { cres: "c", md: "m" }, { cres: "" }, { cres: "c", other: "o" }];
    for (const three_ds of wrong) expect(await confirm(paymentId, three_ds)).toEqual([400, "validation_failed"]);
  });
});

it("card payouts do what the last two digits say", async () => {
  const receiver = { pan: "2202208311110010" };
  const [paid, declined, failed] = await Promise.all([
    create(PAYOUT, { receiver }, 100000),
    create(PAYOUT, { receiver }, 100001),
    create(PAYOUT, { receiver }, 100002),
  ]);
  const success = await reaches(PAYOUT, paid, "success", null);
  expect([success.payment.fee, success.card, success.expires_at]).toEqual([1000, undefined, undefined]);
  expect((await reaches(PAYOUT, declined, "decline", null)).decline_code).toBe("provider_declined");
  await reaches(PAYOUT, failed, "dispute", "payout_failed");
});

it("the callbacks that came on the way are as documented, and hold no card number", async () => {
  const [{ count } = { count: 0 }] = await database.db.run<{ count: number }>({
    text: "select count(*)::int from callbacks",
    values: [],
  });
  expect(count).toBeGreaterThan(20);
  await vi.waitFor(() => expect(new Set(shop.received.map(({ headers }) => headers["webhook-id"])).size).toBe(count), {
    timeout: 60_000,
    interval: 100,
  });
  const told = shop.received.filter(({ path }) => path === "/callbacks").map(({ rawBody }) => rawBody.toString());
  for (const text of told) {
    expect(validateCallback(JSON.parse(text))).toEqual([]);
    expect(text).not.toMatch(/4242424242424242|4000000000003220|4111111111111111|2202208311110010/);
  }
  expect(told.filter((text) => text.includes('"integration"')).length).toBeGreaterThan(5);
});
