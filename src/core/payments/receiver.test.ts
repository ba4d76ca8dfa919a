import { describe, expect, it } from "vitest";
import type { PayoutReceiver } from "../connector.ts";
import { METHODS, type Method } from "../merchants/methods.ts";
import {
  type ReceiverBlock,
  receiverForm,
  receiverFromText,
  receiverKey,
  receiverToText,
  toPayoutReceiver,
} from "./receiver.ts";

const CARD: PayoutReceiver = { type: "card", pan: "4242424242424242", holder: "IVAN I." };
const PHONE: PayoutReceiver = { type: "phone", phone: "+79001234567", bank: "sberbank" };
const ACCOUNT: PayoutReceiver = { type: "account", accountNumber: "4081", bank: "sberbank", name: "Ivan «I»" };

describe("from the merchant's request to the provider's", () => {
  it.each([
    ["card-p2p", { pan: "4242424242424242", card_holder: "IVAN I." }, CARD],
    ["card-p2p", { pan: "4242424242424242" }, { ...CARD, holder: undefined }],
    ["card-ecom", { pan: "4242424242424242" }, { ...CARD, holder: undefined }],
    ["sbp-p2p", { phone: "+79001234567", bank: "sberbank" }, PHONE],
    ["mobile-p2p", { phone: "+79001234567", bank: "sberbank" }, PHONE],
    ["phone-p2p", { phone: "+79001234567" }, { ...PHONE, bank: undefined }],
    ["account-number", { account_number: "4081", bank: "sberbank", name: "Ivan «I»" }, ACCOUNT],
  ] as const satisfies readonly (readonly [Method, ReceiverBlock, PayoutReceiver])[])(
    "%s %j",
    (method, block, receiver) => expect(toPayoutReceiver(method, block)).toStrictEqual(receiver),
  );

  it("throws when a required member is missing, without repeating the others", () => {
    for (const method of Object.keys(METHODS) as Method[]) {
      const complete: ReceiverBlock = { pan: "4242", phone: "+7900", account_number: "4081", bank: "b", name: "n" };
      for (const missing of receiverForm(method).required) {
        const { [missing]: _left, ...rest } = complete;
        expect(() => toPayoutReceiver(method, rest)).toThrow(`the receiver does not have what ${method} needs`);
      }
    }
    expect(() => toPayoutReceiver("ussd", {})).toThrow("ussd");
  });
});

describe("the sealed text", () => {
  it.each([CARD, { ...CARD, holder: undefined }, PHONE, { ...PHONE, bank: undefined }, ACCOUNT])(
    "is read back as it was: %j",
    (receiver) => expect(receiverFromText(receiverToText(receiver))).toStrictEqual(receiver),
  );

  it.each([
    "",
    "4242424242424242",
    "null",
    "{}",
    '{"type":"card"}',
    '{"type":"card","pan":4242424242424242}',
    '{"type":"cash","pan":"4242424242424242"}',
    '{"type":"account","accountNumber":"4242424242424242"}',
    '{"pan":"4242424242424242"',
  ])("that is damaged is a bug whose error does not show it: %j", (text) => {
    expect(() => receiverFromText(text)).toThrow(
      /^the sealed (receiver has an unknown form|text is not a JSON object)$/,
    );
  });
});

it("the key is what the money goes to, whoever holds it", () => {
  expect([CARD, PHONE, ACCOUNT].map(receiverKey)).toEqual(["4242424242424242", "+79001234567", "4081"]);
  expect(receiverKey({ ...CARD, holder: undefined })).toBe(receiverKey(CARD));
});
