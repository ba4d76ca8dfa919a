import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  isFinal,
  type P2pPayoutRequest,
  type Requisites,
  type Tillgate,
  TillgateApiError,
  TillgateError,
  TillgateResponseError,
} from "../src/index.ts";
import { type Answer, json, startServer } from "./local-server.ts";
import { callbackBody } from "./reference.ts";
import { clientOf, failureOf, fault, reset, signatureFits } from "./test-client.ts";
import { customer, payinRequest, paymentObject, payoutRequest, RECEIVER_PAN, REQUISITES_PAN } from "./test-payments.ts";

const general = { project_id: "project-1", payment_id: "ord-771" };
const replayedHeader = { "idempotent-replayed": "true" };

type PaymentCall = readonly [path: string, call: (client: Tillgate) => Promise<unknown>, body: object];
const calls: readonly PaymentCall[] = [
  [
    "p2p/payin",
    (client) => client.p2p.payin.create(payinRequest),
    { ...payinRequest, general: { project_id: "project-1", ...payinRequest.general } },
  ],
  ["p2p/payin/info", (client) => client.p2p.payin.info("ord-771"), { general }],
  ["p2p/payin/confirm", (client) => client.p2p.payin.confirm("ord-771"), { general }],
  ["p2p/payin/cancel", (client) => client.p2p.payin.cancel("ord-771"), { general }],
  [
    "p2p/payout",
    (client) => client.p2p.payout.create(payoutRequest),
    { ...payoutRequest, general: { project_id: "project-1", payment_id: "out-1" } },
  ],
  ["p2p/payout/info", (client) => client.p2p.payout.info("ord-771"), { general }],
];

describe.each(calls)("%s", (path, call, body) => {
  it("is a signed call of its path, with the project filled in", async () => {
    await using server = await startServer(json(200, paymentObject()));
    await call(clientOf(server.url).client);
    const [received] = server.received;
    expect(received?.path).toBe(`/api/v1/payment/${path}`);
    expect(JSON.parse(received?.rawBody.toString() ?? "")).toEqual(body);
    expect(received !== undefined && signatureFits(received, 2)).toBe(true);
  });

  it.each([
    ["a lost connection", reset],
    ["500", json(500, fault("internal_error"))],
    ["503", json(503, fault("unavailable"), { "retry-after": "1" })],
    ["429", json(429, fault("rate_limited"), { "retry-after": "1" })],
  ])("is repeated after %s, byte for byte", async (_, failure) => {
    await using server = await startServer(failure, json(200, paymentObject(), replayedHeader));
    await call(clientOf(server.url).client);
    const [first, second] = server.received;
    expect(second?.rawBody).toEqual(first?.rawBody);
    expect(second?.path).toBe(first?.path);
  });

  it("is left with an unknown outcome when no attempt was answered, and the next call is the same", async () => {
    await using server = await startServer(reset, reset, reset, json(200, paymentObject()));
    const { client } = clientOf(server.url);
    expect(await failureOf(call(client))).toMatchObject({ outcomeUnknown: true });
    await call(client);
    expect(new Set(server.received.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
  });

  it.each([
    ["no payment at all", { balance: [] }],
    ["an amount as text", paymentObject({ payment: { amount: "1", requested_amount: 1, currency: "RUB" } })],
    ["no status", paymentObject({ status: undefined })],
    ["a status without its sub_status", paymentObject({ sub_status: undefined })],
    ["a card without a number", paymentObject({ requisites: { type: "card", amount: 1, currency: "RUB" } })],
    ["a link without a URL", paymentObject({ requisites: { type: "link", pan: "1", amount: 1, currency: "RUB" } })],
  ])("does not take %s for a payment", async (_, answer) => {
    await using server = await startServer(json(200, answer));
    const error = await failureOf(call(clientOf(server.url).client));
    expect(error).toBeInstanceOf(TillgateResponseError);
    expect(error.outcomeUnknown).toBe(true);
  });

  it("shows no card number in its errors", async () => {
    const cutShort: Answer = (response) => void response.writeHead(200).end(`[${REQUISITES_PAN},x]`);
    for (const failure of [reset, cutShort, json(422, fault("card_invalid")), json(200, paymentObject({ type: 1 }))]) {
      await using server = await startServer(failure);
      const error = await failureOf(call(clientOf(server.url).client));
      const printed = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
      expect(printed).not.toContain(RECEIVER_PAN);
      // The parser of the platform would quote what stands before the wrong character.
      expect(printed).not.toContain(REQUISITES_PAN.slice(-8));
    }
  });
});

describe("a create", () => {
  it("returns the payment as it came, and beside it whether the service knew it already", async () => {
    const payment = paymentObject({ member_of_a_later_version: { a: 1 } });
    await using server = await startServer(json(200, payment), json(200, payment, replayedHeader));
    const { client } = clientOf(server.url);
    expect(await client.p2p.payin.create(payinRequest)).toEqual({ payment, replayed: false });
    expect(await client.p2p.payin.create(payinRequest)).toEqual({ payment, replayed: true });
  });

  it("tells of a refusal as an error with everything in it", async () => {
    const errors = [{ field: "payment.currency", code: "not_allowed", message: "must be a currency code" }];
    await using server = await startServer(json(400, { ...fault("validation_failed"), errors }));
    const error = await failureOf(clientOf(server.url).client.p2p.payin.create(payinRequest));
    expect(error).toBeInstanceOf(TillgateApiError);
    expect(error).toMatchObject({
      httpStatus: 400,
      code: "validation_failed",
      fieldErrors: errors,
      outcomeUnknown: false,
    });
  });

  it.each([0, -1, 2500.5, 10_000_000_000_001, Number.NaN, Number.POSITIVE_INFINITY, "250000", 250000n, undefined])(
    "of %s is refused before anything is sent",
    async (amount) => {
      await using server = await startServer(json(200, paymentObject()));
      const { client } = clientOf(server.url);
      const payment = { ...payinRequest.payment, amount: amount as number };
      const error = await failureOf(client.p2p.payin.create({ ...payinRequest, payment }));
      expect(error.message).toContain("payment.amount must be a number of whole minor units");
      expect(error.outcomeUnknown).toBe(false);
      expect(server.received).toHaveLength(0);
    },
  );

  it.each([1, 10_000_000_000_000])("of %i is sent", async (amount) => {
    await using server = await startServer(json(200, paymentObject()));
    await clientOf(server.url).client.p2p.payin.create({
      ...payinRequest,
      payment: { ...payinRequest.payment, amount },
    });
    expect(server.received).toHaveLength(1);
  });
});

it.each(["", "x".repeat(256), undefined, 7])("the payment_id %j is refused before anything is sent", async (id) => {
  await using server = await startServer(json(200, paymentObject()));
  const { p2p } = clientOf(server.url).client;
  const paymentId = id as string;
  const attempts = [
    p2p.payin.create({ ...payinRequest, general: { payment_id: paymentId } }),
    p2p.payout.create({ ...payoutRequest, general: { payment_id: paymentId } }),
    p2p.payin.info(paymentId),
    p2p.payin.confirm(paymentId),
    p2p.payin.cancel(paymentId),
    p2p.payout.info(paymentId),
  ];
  for (const attempt of attempts) expect((await failureOf(attempt)).message).toContain("payment_id must be");
  expect(server.received).toHaveLength(0);
});

it("counts characters of a payment_id as the service does", async () => {
  await using server = await startServer(json(200, paymentObject()));
  const { p2p } = clientOf(server.url).client;
  await p2p.payin.info("😀".repeat(255));
  await expect(p2p.payin.info("😀".repeat(256))).rejects.toBeInstanceOf(TillgateError);
});

describe("words of a later version", () => {
  it("pass, and are not final", async () => {
    const requisites = { type: "voucher", code: "1", amount: 1, currency: "RUB" };
    const later = paymentObject({ status: "frozen", sub_status: "by_ice", decline_code: "cold", requisites });
    await using server = await startServer(json(200, later));
    const payment = await clientOf(server.url).client.p2p.payin.info("ord-771");
    expect(payment).toEqual(later);
    expect(isFinal(payment)).toBe(false);
  });
});

it.each([
  ["processing", false],
  ["dispute", false],
  ["success", true],
  ["decline", true],
])("a payment with status %s is final: %s", (status, final) => {
  expect(isFinal({ status })).toBe(final);
  const callback = callbackBody({ status: { status } }) as { status: { status: string } };
  expect(isFinal(callback.status)).toBe(final);
});

describe("the types", () => {
  it("hold a receiver to its method", () => {
    const rest = { general: { payment_id: "out-1" }, customer };
    const terms = { amount: 1, currency: "RUB" };
    const right: P2pPayoutRequest[] = [
      { ...rest, payment: { ...terms, method: "card-p2p" }, receiver: { pan: RECEIVER_PAN, card_holder: "IVAN I." } },
      { ...rest, payment: { ...terms, method: "sbp-p2p" }, receiver: { phone: "+79001234567", bank: "sberbank" } },
      { ...rest, payment: { ...terms, method: "phone-p2p" }, receiver: { phone: "+99450123456" } },
      {
        ...rest,
        payment: { ...terms, method: "account-number" },
        receiver: { account_number: "1", bank: "b", name: "N" },
      },
      // @ts-expect-error A card is paid by its number.
      { ...rest, payment: { ...terms, method: "card-p2p" }, receiver: { phone: "+79001234567" } },
      // @ts-expect-error The fast payment system needs the bank.
      { ...rest, payment: { ...terms, method: "sbp-p2p" }, receiver: { phone: "+79001234567" } },
      // @ts-expect-error No payouts go to a link.
      { ...rest, payment: { ...terms, method: "qr-link-p2p" }, receiver: { phone: "+79001234567" } },
    ];
    expect(right).toHaveLength(7);
  });

  it("tell what requisites have, by their type", () => {
    const whereTo = (requisites: Requisites): string => {
      switch (requisites.type) {
        case "card":
          return requisites.pan;
        case "phone":
          return requisites.phone;
        case "account":
          return requisites.account_number;
        case "link":
          return requisites.url;
      }
    };
    expect(whereTo({ type: "phone", phone: "+79001234567", amount: 1, currency: "RUB" })).toBe("+79001234567");
  });
});
