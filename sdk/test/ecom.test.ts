import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type EcomPayinRequest,
  type EcomPayoutRequest,
  issuerForm,
  type ThreeDs,
  type ThreeDsResult,
  TillgateError,
  threeDsResult,
} from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { clientOf, failureOf } from "./test-client.ts";
import { CARD, cardPayinRequest, cardPayoutRequest, customer, paymentObject } from "./test-payments.ts";

const THREE_DS_2: ThreeDs = {
  version: "2.2.0",
  acs_url: "https://issuer.example/challenge",
  creq: "eyJj",
  three_ds_session_data: "session",
};
const THREE_DS_1: ThreeDs = {
  version: "1.0.2",
  acs_url: "https://issuer.example/pareq",
  pa_req: "eyJw",
  md: "session",
  term_url: "https://pay.example/3ds/back",
};

/** The error, after it was made sure that nothing went out and that nothing of the card is in it. */
async function refusalOf(attempt: (ecom: ReturnType<typeof clientOf>["client"]["ecom"]) => Promise<unknown>) {
  await using server = await startServer(json(200, paymentObject()));
  const error = await failureOf(attempt(clientOf(server.url).client.ecom));
  expect(server.received).toHaveLength(0);
  expect(error.outcomeUnknown).toBe(false);
  expect(error.message).toContain("nothing was sent");
  return error;
}

describe("a card pay-in", () => {
  const cases: [string, string, object][] = [
    ["card.pan", "blanks in its number", { pan: "4000 0000 0000 3220" }],
    ["card.pan", "dashes in its number", { pan: "4000-0000-0000-3220" }],
    ["card.pan", "too few digits", { pan: "40000000000" }],
    ["card.pan", "too many digits", { pan: "40000000000032204000" }],
    ["card.pan", "a number in place of text", { pan: 4000000000003220 }],
    ["card.pan", "digits of another script", { pan: "٤٠٠٠٠٠٠٠٠٠٠٠٣٢٢٠" }],
    ["card.pan", "a line feed at the end", { pan: `${CARD.pan}\n` }],
    ["card.pan", "no number", { pan: undefined }],
    ["card.cvv", "a short code", { cvv: "72" }],
    ["card.cvv", "a long code", { cvv: "72941" }],
    ["card.cvv", "a number in place of its code", { cvv: 7294 }],
    ["card.card_holder", "a name of one letter", { card_holder: "I" }],
    ["card.card_holder", "a name that is too long", { card_holder: "I".repeat(65) }],
    ["card.card_holder", "no name", { card_holder: undefined }],
    ["card.expiry_month", "a month of text", { expiry_month: "12" }],
    ["card.expiry_month", "a thirteenth month", { expiry_month: 13 }],
    ["card.expiry_month", "month zero", { expiry_month: 0 }],
    ["card.expiry_year", "a year of two digits", { expiry_year: 30 }],
    ["card.expiry_year", "half a year", { expiry_year: 2030.5 }],
  ];
  it.each(cases)("is refused for its %s before anything is sent: %s", async (field, _, changes) => {
    const request = { ...cardPayinRequest, card: { ...CARD, ...changes } } as EcomPayinRequest;
    const error = await refusalOf((ecom) => ecom.payin.create(request));
    expect(error.message).toContain(field);
    const printed = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
    for (const value of Object.values(request.card)) {
      if (String(value).length > 3) expect(printed).not.toContain(String(value));
    }
  });

  it.each([undefined, null, "4000000000003220"])("is refused without a card: %j", async (card) => {
    const error = await refusalOf((ecom) => ecom.payin.create({ ...cardPayinRequest, card } as never));
    expect(error.message).toContain("card must be an object");
  });

  it.each([299, 601, 900, 300.5, "300", null])("is refused with a lifetime of %j", async (lifetime) => {
    const payment = { ...cardPayinRequest.payment, lifetime: lifetime as number };
    const error = await refusalOf((ecom) => ecom.payin.create({ ...cardPayinRequest, payment }));
    expect(error.message).toContain("from 300 to 600");
  });

  it.each([300, 600, undefined])("is sent with a lifetime of %j", async (lifetime) => {
    await using server = await startServer(json(200, paymentObject()));
    const payment = { ...cardPayinRequest.payment, lifetime };
    await clientOf(server.url).client.ecom.payin.create({ ...cardPayinRequest, payment });
    expect(JSON.parse(server.received[0]?.rawBody.toString() ?? "").payment.lifetime).toBe(lifetime);
  });

  it.each([
    ["4222222222222", "123"],
    ["378282246310005", "1234"],
    ["6304000000000000000", "123"],
  ])("is sent with a card of %s", async (pan, cvv) => {
    await using server = await startServer(json(200, paymentObject()));
    await clientOf(server.url).client.ecom.payin.create({ ...cardPayinRequest, card: { ...CARD, pan, cvv } });
    expect(server.received).toHaveLength(1);
  });

  it("is held to its amount and payment_id too", async () => {
    const payment = { ...cardPayinRequest.payment, amount: 2500.5 };
    const general = { payment_id: "" };
    const [byAmount, byId] = [
      await failureOf(clientOf("http://127.0.0.1:9").client.ecom.payin.create({ ...cardPayinRequest, payment })),
      await failureOf(clientOf("http://127.0.0.1:9").client.ecom.payin.create({ ...cardPayinRequest, general })),
    ];
    expect([byAmount.message, byId.message]).toEqual([
      expect.stringContaining("payment.amount must be"),
      expect.stringContaining("payment_id must be"),
    ]);
  });
});

describe("a card payout", () => {
  it.each(["4242 4242 4242 4242", "42", undefined, 4242424242424242])("to %j is not sent", async (pan) => {
    const request = { ...cardPayoutRequest, receiver: { pan } } as EcomPayoutRequest;
    const error = await refusalOf((ecom) => ecom.payout.create(request));
    expect(error.message).toContain("receiver.pan must be a text of 12 to 19 digits");
    if (String(pan).length > 2) expect(inspect(error)).not.toContain(String(pan));
  });
});

describe("a result of 3-D Secure", () => {
  it.each([
    {},
    { cres: "" },
    { cres: 7 },
    { pa_res: "p" },
    { md: "m" },
    { pa_res: "p", md: "" },
    { cres: "c", md: "m" },
    { cres: "c", pa_res: "p", md: "m" },
    undefined,
  ])("must be whole: %j", async (result) => {
    const error = await refusalOf((ecom) => ecom.payin.confirmThreeDs("ord-771", result as never));
    expect(error.message).toContain("either cres, or pa_res and md");
  });

  it("is sent without what else the browser brought", async () => {
    await using server = await startServer(json(200, paymentObject()));
    const result = { cres: "eyJj", threeDSSessionData: "session" };
    await clientOf(server.url).client.ecom.payin.confirmThreeDs("ord-771", result);
    expect(JSON.parse(server.received[0]?.rawBody.toString() ?? "").three_ds).toEqual({ cres: "eyJj" });
  });

  it.each([
    ["cres=eyJj&threeDSSessionData=session", { cres: "eyJj" }],
    ["PaRes=eyJw&MD=session", { pa_res: "eyJw", md: "session" }],
    ["payment_id=ord-771", undefined],
    ["PaRes=eyJw", undefined],
    ["cres=", undefined],
  ])("is read out of the form that the browser posted: %s", (form, result) => {
    const fields = new URLSearchParams(form);
    expect(threeDsResult(fields)).toEqual(result);
    expect(threeDsResult(Object.fromEntries(fields))).toEqual(result);
  });

  it("is not read out of what is not text", () => {
    expect(threeDsResult({ cres: ["a", "b"] })).toBeUndefined();
    expect(threeDsResult(Object.create({ cres: "inherited" }))).toBeUndefined();
  });
});

describe("the issuer's form", () => {
  it("has the fields of its version", () => {
    expect(issuerForm(THREE_DS_2)).toEqual({
      action: "https://issuer.example/challenge",
      fields: { creq: "eyJj", threeDSSessionData: "session" },
    });
    expect(issuerForm(THREE_DS_1)).toEqual({
      action: "https://issuer.example/pareq",
      fields: { PaReq: "eyJw", MD: "session", TermUrl: "https://pay.example/3ds/back" },
    });
  });

  it("of a version of later times is not guessed at", () => {
    const later = { ...THREE_DS_2, version: "3.0.0" } as unknown as ThreeDs;
    expect(() => issuerForm(later)).toThrow(TillgateError);
    expect(() => issuerForm(later)).toThrow("send the payer to redirect_url");
  });
});

describe("an answer", () => {
  it("with a card and a challenge is returned as it came", async () => {
    const integration = { three_ds: THREE_DS_1, redirect_url: "https://pay.example/3ds/token" };
    const card = { pan: "400000******3220", brand: "visa" };
    const payment = paymentObject({ sub_status: "awaiting_3ds_result", requisites: undefined, card, integration });
    await using server = await startServer(json(200, payment));
    expect(await clientOf(server.url).client.ecom.payin.info("ord-771")).toEqual(JSON.parse(JSON.stringify(payment)));
  });

  it("with a version and a brand of later times is let through", async () => {
    const three_ds = { version: "3.0.0", acs_url: "https://issuer.example", voice: "hello" };
    const later = paymentObject({ card: { pan: "1", brand: "later" }, integration: { three_ds } });
    await using server = await startServer(json(200, later));
    expect(await clientOf(server.url).client.ecom.payin.info("ord-771")).toEqual(later);
  });
});

it("the types tell what belongs together", () => {
  const results: ThreeDsResult[] = [
    { cres: "c" },
    { pa_res: "p", md: "m" },
    // @ts-expect-error A result of 3-D Secure 1 has two parts.
    { pa_res: "p" },
  ];
  const requests: EcomPayinRequest[] = [
    cardPayinRequest,
    // @ts-expect-error Transfers have calls of their own.
    { ...cardPayinRequest, payment: { method: "card-p2p", amount: 1, currency: "RUB" } },
    // @ts-expect-error A year is a number, with four digits.
    { ...cardPayinRequest, card: { ...CARD, expiry_year: "30" } },
    // @ts-expect-error The code is text: it may begin with a zero.
    { ...cardPayinRequest, card: { ...CARD, cvv: 123 } },
  ];
  // @ts-expect-error A payout shows no browser to an issuer.
  const payout: EcomPayoutRequest = { ...cardPayoutRequest, customer: { ...customer, browser: {} } };
  const termUrlOf = (threeDs: ThreeDs) => (threeDs.version === "1.0.2" ? threeDs.term_url : threeDs.creq);
  expect([results.length, requests.length, payout.receiver.pan]).toEqual([3, 4, "4242424242424242"]);
  expect([termUrlOf(THREE_DS_1), termUrlOf(THREE_DS_2)]).toEqual(["https://pay.example/3ds/back", "eyJj"]);
});
