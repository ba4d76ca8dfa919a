import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type EcomPayinRequest,
  type EcomPayoutRequest,
  isFinal,
  type Payment,
  type ThreeDs,
  TillgateApiError,
  threeDsResult,
  verifyStandardWebhook,
} from "../../sdk/src/index.ts";
import { json, startServer } from "../../sdk/test/local-server.ts";
import { postForm, submitForm } from "../../src/sandbox/test-browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { answerIssuer, passThroughPage, WRONG_CODE } from "../payer-browser.ts";
import { losing, sandboxClients, waitFor } from "./through-sdk.ts";

/** A shop that takes cards with the SDK and believes no browser; its payers go to the sandbox's issuer. */
const { db, ...database } = useTestDatabase();
const service = useTestService({ db, ...database });
const { clientOf, heldIn } = sandboxClients(service);

const customer = { id: "customer-1", ip_address: "192.0.2.1" };
const APPROVED = "4242424242424242";
const THREE_DS_2 = "4000000000003220";
const THREE_DS_1 = "4111111111111111";
/** In no other number of these tests, so that it can be searched for. */
const CVV = "739";
let counted = 0;
let shop: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  shop = await startServer(json(200, {}));
});
afterAll(() => shop.close());

function newId(): string {
  counted += 1;
  return `card-${counted}`;
}

function payinOf(paymentId: string, pan: string, currency = "RUB"): EcomPayinRequest {
  const urls = { merchant_callback_url: `${shop.url}/callbacks`, redirect_url: `${shop.url}/return` };
  return {
    general: { payment_id: paymentId, ...urls },
    payment: { method: "card-ecom", amount: 250000, currency },
    card: { pan, cvv: CVV, card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 },
    customer: { ...customer, browser: { user_agent: "Mozilla/5.0", screen_width: 1920, timezone_offset: -180 } },
  };
}

function payoutOf(paymentId: string, pan = APPROVED): EcomPayoutRequest {
  return {
    general: { payment_id: paymentId },
    payment: { method: "card-ecom", amount: 100000, currency: "RUB" },
    receiver: { pan },
    customer,
  };
}

function until(paymentId: string, isEnough: (payment: Payment) => boolean): Promise<Payment> {
  return waitFor(() => clientOf().ecom.payin.info(paymentId), isEnough);
}

type WayOn = { readonly paymentId: string; readonly redirectUrl: string; readonly threeDs: ThreeDs };

async function challenged(pan: string): Promise<WayOn> {
  const paymentId = newId();
  await clientOf().ecom.payin.create(payinOf(paymentId, pan));
  const { integration } = await until(paymentId, ({ sub_status }) => sub_status === "awaiting_3ds_result");
  const { redirect_url: redirectUrl, three_ds: threeDs } = integration ?? {};
  if (redirectUrl === undefined || threeDs === undefined) throw new Error("there is no way on");
  return { paymentId, redirectUrl, threeDs };
}

describe.each([
  ["rsa", 1],
  ["rsa", 2],
  ["hmac", 1],
  ["hmac", 2],
] as const)("with %s and scheme %i", (kind, scheme) => {
  it("a card is charged and another one is paid, and the balance moves by net and cost", async () => {
    const { ecom } = clientOf(kind, { scheme });
    const before = await heldIn("RUB");
    const [payin, payout] = [newId(), newId()];
    const created = await ecom.payin.create(payinOf(payin, APPROVED));
    expect(created).toMatchObject({ replayed: false, payment: { status: "processing", sub_status: "new" } });
    const success = await waitFor(() => ecom.payin.info(payin), isFinal);
    expect(success).toMatchObject({ status: "success", card: { pan: "424242******4242", brand: "visa" } });
    await ecom.payout.create(payoutOf(payout));
    expect((await waitFor(() => ecom.payout.info(payout), isFinal)).status).toBe("success");
    expect(await heldIn("RUB")).toBe(before + 243750 - 101000);
  });
});

describe("a payer whom the issuer wants to see", () => {
  it.each([THREE_DS_2, THREE_DS_1])("is redirected there and comes back with nothing but a name: %s", async (pan) => {
    const { paymentId, redirectUrl } = await challenged(pan);
    const back = await passThroughPage(redirectUrl);
    expect([back.status, back.headers.get("location")]).toEqual([303, `${shop.url}/return?payment_id=${paymentId}`]);
    expect((await until(paymentId, isFinal)).status).toBe("success");
  });

  it.each([THREE_DS_2, THREE_DS_1])("is posted there by the shop, which passes on what comes back: %s", async (pan) => {
    const { paymentId, threeDs } = await challenged(pan);
    const { returnUrl, fields } = await answerIssuer(threeDs);
    // The issuer's page posts to the service, and the service's page posts to the shop.
    await submitForm(await postForm(returnUrl, fields), {});
    const posted = shop.received.findLast(({ method, path }) => method === "POST" && path === "/return");
    const result = threeDsResult(new URLSearchParams(posted?.rawBody.toString()));
    if (result === undefined) throw new Error("the payer came back without a result");
    expect((await clientOf().ecom.payin.confirmThreeDs(paymentId, result)).status).toBe("success");
  });

  it("is no longer awaited once the shop brought the result by itself", async () => {
    const { paymentId, threeDs, redirectUrl } = await challenged(THREE_DS_2);
    const { result } = await answerIssuer(threeDs);
    const lossy = clientOf("rsa", { fetch: losing(1), sleep: async () => {} }).ecom.payin;
    const confirmed = await lossy.confirmThreeDs(paymentId, result);
    expect([confirmed.status, confirmed.integration]).toEqual(["success", undefined]);
    const late = await fetch(redirectUrl, { redirect: "manual" });
    expect(late.headers.get("location")).toBe(`${shop.url}/return?payment_id=${paymentId}`);
  });

  it("and is not who they say is declined", async () => {
    const { paymentId, redirectUrl } = await challenged(THREE_DS_1);
    await passThroughPage(redirectUrl, WRONG_CODE, WRONG_CODE, WRONG_CODE);
    expect(await until(paymentId, isFinal)).toMatchObject({ status: "decline", decline_code: "three_ds_failed" });
  });

  it("is told of by callback, with the way on", async () => {
    const { paymentId, redirectUrl, threeDs } = await challenged(THREE_DS_2);
    const { webhook_secret: secret } = service.sandbox();
    await vi.waitFor(
      () => {
        const told = shop.received
          .filter(({ path }) => path === "/callbacks")
          .map(({ headers, rawBody }) => verifyStandardWebhook({ headers, rawBody, secret }))
          .find(({ general }) => general.payment_id === paymentId);
        expect(told?.status.sub_status).toBe("awaiting_3ds_result");
        expect(told?.integration).toEqual({ redirect_url: redirectUrl, three_ds: threeDs });
      },
      { timeout: 60_000, interval: 50 },
    );
  });
});

describe("an answer that is lost", () => {
  it("of a create is made good, and the card is charged once", async () => {
    const paymentId = newId();
    const before = await heldIn("UZS");
    const request = payinOf(paymentId, APPROVED, "UZS");
    const lossy = clientOf("hmac", { fetch: losing(2), sleep: async () => {} });
    const { payment, replayed } = await lossy.ecom.payin.create(request);
    expect([replayed, payment.payment_id]).toEqual([true, paymentId]);
    await until(paymentId, isFinal);
    expect(await heldIn("UZS")).toBe(before + 243750);
  });

  it("may be asked for again with another CVV, or by many at once", async () => {
    const paymentId = newId();
    const before = await heldIn("KZT");
    const request = payinOf(paymentId, APPROVED, "KZT");
    const { ecom } = clientOf();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ecom.payin.create({ ...request, card: { ...request.card, cvv: String(100 + index) } }),
      ),
    );
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(all.map(({ payment }) => payment.request_id)).size).toBe(1);
    await until(paymentId, isFinal);
    expect(await heldIn("KZT")).toBe(before + 243750);
  });
});

describe("a refusal", () => {
  const { payin, payout } = {
    payin: (id: string, pan: string) => clientOf().ecom.payin.create(payinOf(id, pan)),
    payout: (id: string, pan: string) => clientOf().ecom.payout.create(payoutOf(id, pan)),
  };
  it.each([
    ["a mistyped card", 422, "card_invalid", () => payin(newId(), "4242424242424241")],
    ["a card that is not the sandbox's", 422, "card_invalid", () => payin(newId(), "4000000000000010")],
    ["a mistyped card of a payout", 422, "card_invalid", () => payout(newId(), "4242424242424241")],
    ["a payment that there is not", 404, "payment_not_found", () => clientOf().ecom.payin.info("nobody-knows")],
    [
      "a result that is not the issuer's",
      422,
      "three_ds_result_invalid",
      async () => clientOf().ecom.payin.confirmThreeDs((await challenged(THREE_DS_2)).paymentId, { cres: "eyJj" }),
    ],
  ] as const)("for %s is an error with its code, and without the card", async (_, httpStatus, code, refused) => {
    const error = await (refused() as Promise<unknown>).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(error).toMatchObject({ httpStatus, code, outcomeUnknown: false });
    const printed = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
    expect(printed).not.toMatch(/4242424242424241|4000000000000010|4000000000003220/);
  });
});

it("nothing of a card was logged, told to the shop or put into its address", () => {
  const logged = service.logLines().join("");
  const told = shop.received.map(({ path, rawBody }) => path + rawBody.toString()).join("");
  expect([logged.length > 0, told.length > 0]).toEqual([true, true]);
  for (const text of [logged, told]) {
    for (const pan of [APPROVED, THREE_DS_2, THREE_DS_1]) expect(text).not.toContain(pan);
    expect(text).not.toContain(`"${CVV}"`);
  }
});
