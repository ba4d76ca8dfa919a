import { describe, expect, it } from "vitest";
import { isFinal, type P2pPayoutRequest, type Requisites, TillgateApiError, TillgateError } from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { callbackBody } from "./reference.ts";
import { clientOf, failureOf, fault } from "./test-client.ts";
import { customer, payinRequest, paymentObject, payoutRequest, RECEIVER_PAN } from "./test-payments.ts";

const replayedHeader = { "idempotent-replayed": "true" };

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
