import { describe, expect, it } from "vitest";
import type { Direction } from "../merchants/methods.ts";
import { type BodySituation, findBodyFaults } from "./body-rules.ts";

const RECEIVERS = {
  card: { pan: "4242424242424242" },
  phone: { phone: "+79001234567" },
  phoneAndBank: { phone: "+79001234567", bank: "sberbank" },
  account: { account_number: "40817810099910004312", bank: "sberbank", name: "Ivan Ivanov" },
};

const PAYMENT = { method: "card-p2p", amount: 100, currency: "RUB" };
const PAYIN = {
  general: { project_id: "p", payment_id: "1" },
  payment: PAYMENT,
  customer: { id: "c", ip_address: "203.0.113.7" },
};

function situation(direction: Direction, changes: Partial<BodySituation> = {}): BodySituation {
  return { product: "p2p", direction, mode: "production", providerCodes: new Set(["sandbox"]), ...changes };
}

function payinFaults(payment: object, changes?: Partial<BodySituation>): string[] {
  const body = { ...PAYIN, payment: { ...PAYMENT, ...payment } };
  return findBodyFaults(body, situation("payin", changes)).map(({ field, code }) => `${field} ${code}`);
}

function payoutFaults(method: string, receiver: unknown, changes?: Partial<BodySituation>): string[] {
  const body = { ...PAYIN, payment: { ...PAYMENT, method }, receiver };
  return findBodyFaults(body, situation("payout", changes)).map(({ field, code }) => `${field} ${code}`);
}

describe("payment.type", () => {
  it("may be absent or agree with the path", () => {
    expect(payinFaults({})).toEqual([]);
    expect(payinFaults({ type: "payin" })).toEqual([]);
  });

  it("must not disagree with the path", () => {
    expect(payinFaults({ type: "payout" })).toEqual(["payment.type not_allowed"]);
  });
});

describe("payment.method", () => {
  const P2P_PAYINS = ["card-p2p", "sbp-p2p", "phone-p2p", "mobile-p2p", "account-number", "international-p2p"];
  const LINKS = ["qr-link-p2p", "wallet-link", "ussd"];

  it.each([...P2P_PAYINS, ...LINKS])("%s is for P2P pay-ins", (method) => {
    expect(payinFaults({ method })).toEqual([]);
    expect(payinFaults({ method }, { product: "ecom" })).toEqual(["payment.method not_allowed"]);
  });

  it.each(["international-p2p", ...LINKS])("%s is not for payouts", (method) => {
    expect(payoutFaults(method, {})).toEqual(["payment.method not_allowed"]);
  });

  it.each(["", "cash", "CARD-P2P", "card-ecom", "payin-p2p-card", "constructor", "__proto__"])(
    "%j is not a method of the P2P paths",
    (method) => {
      expect(payinFaults({ method })).toEqual(["payment.method not_allowed"]);
      expect(payoutFaults(method, RECEIVERS.card)).toEqual(["payment.method not_allowed"]);
    },
  );

  it("card-ecom is for the ECOM paths", () => {
    expect(payinFaults({ method: "card-ecom" }, { product: "ecom" })).toEqual([]);
    expect(payoutFaults("card-ecom", RECEIVERS.card, { product: "ecom" })).toEqual([]);
  });

  it("is told apart by a list of those that will do", () => {
    const body = { ...PAYIN, payment: { ...PAYMENT, method: "cash" } };
    expect(findBodyFaults(body, situation("payout"))).toEqual([
      {
        field: "payment.method",
        code: "not_allowed",
        message: "must be one of card-p2p, sbp-p2p, phone-p2p, mobile-p2p, account-number on this path",
      },
    ]);
  });
});

describe("payment.currency", () => {
  it.each(["RUB", "JPY", "KWD"])("%s exists, whatever the method does with it", (currency) => {
    expect(payinFaults({ currency })).toEqual([]);
  });

  it.each(["ABC", "XXX", "XTS", "RUR"])("%s does not", (currency) => {
    expect(payinFaults({ currency })).toEqual(["payment.currency not_allowed"]);
  });
});

describe("payment.payment_system", () => {
  it("must be the code of a provider", () => {
    expect(payinFaults({ payment_system: "sandbox" })).toEqual([]);
    expect(payinFaults({ payment_system: "Sandbox" })).toEqual(["payment.payment_system not_allowed"]);
    expect(payinFaults({ payment_system: "" })).toEqual(["payment.payment_system not_allowed"]);
  });
});

describe("the URLs", () => {
  const URLS = [
    "merchant_callback_url",
    "merchant_success_callback_url",
    "merchant_decline_callback_url",
    "redirect_url",
  ];
  const urlFaults = (name: string, url: string, mode: BodySituation["mode"]) =>
    findBodyFaults({ ...PAYIN, general: { ...PAYIN.general, [name]: url } }, situation("payin", { mode })).map(
      ({ field, code }) => `${field} ${code}`,
    );

  it.each(URLS)("%s must be https in production", (name) => {
    expect(urlFaults(name, "https://shop.example/x", "production")).toEqual([]);
    expect(urlFaults(name, "http://shop.example/x", "production")).toEqual([`general.${name} bad_format`]);
    expect(urlFaults(name, "http://127.0.0.1:3000/x", "development")).toEqual([]);
    expect(urlFaults(name, "https://user@shop.example/", "development")).toEqual([`general.${name} bad_format`]);
  });

  it("only a browser may go to another port or a private address", () => {
    for (const url of ["https://shop.example:9000/", "https://10.0.0.1/"]) {
      expect(urlFaults("redirect_url", url, "production")).toEqual([]);
      for (const name of URLS.slice(0, 3)) {
        expect(urlFaults(name, url, "production")).toEqual([`general.${name} not_allowed`]);
      }
    }
  });
});

describe("customer.ip_address", () => {
  const addressFaults = (ip_address: string) =>
    findBodyFaults({ ...PAYIN, customer: { id: "c", ip_address } }, situation("payin")).map(({ code }) => code);

  it.each(["203.0.113.7", "2001:db8::7", "::1", "::ffff:203.0.113.7"])("takes %s", (address) => {
    expect(addressFaults(address)).toEqual([]);
  });

  it.each(["", "localhost", "203.0.113", "203.0.113.256", "203.0.113.07", "203.0.113.0/24", "fe80::1%eth0", "[::1]"])(
    "refuses %j",
    (address) => expect(addressFaults(address)).toEqual(["bad_format"]),
  );
});

describe("receiver", () => {
  it.each([
    ["card-p2p", RECEIVERS.card],
    ["card-p2p", { ...RECEIVERS.card, card_holder: "IVAN IVANOV" }],
    ["sbp-p2p", RECEIVERS.phoneAndBank],
    ["mobile-p2p", RECEIVERS.phoneAndBank],
    ["phone-p2p", RECEIVERS.phone],
    ["account-number", RECEIVERS.account],
  ])("of %s is right", (method, receiver) => expect(payoutFaults(method, receiver)).toEqual([]));

  it.each([
    ["card-p2p", ["pan"]],
    ["sbp-p2p", ["phone", "bank"]],
    ["mobile-p2p", ["phone", "bank"]],
    ["phone-p2p", ["phone"]],
    ["account-number", ["account_number", "bank", "name"]],
  ])("of %s must have %j", (method, members) => {
    expect(payoutFaults(method, {})).toEqual(members.map((name) => `receiver.${name} required`));
  });

  it.each([
    ["card-p2p", RECEIVERS.card, ["phone", "account_number", "bank", "name"]],
    ["sbp-p2p", RECEIVERS.phoneAndBank, ["pan", "card_holder", "account_number", "name"]],
    ["mobile-p2p", RECEIVERS.phoneAndBank, ["pan", "card_holder", "account_number", "name"]],
    ["phone-p2p", RECEIVERS.phone, ["pan", "card_holder", "account_number", "bank", "name"]],
    ["account-number", RECEIVERS.account, ["pan", "card_holder", "phone"]],
  ])("of %s must not have more", (method, receiver, unused) => {
    const everything = { ...RECEIVERS.account, ...RECEIVERS.card, card_holder: "I", phone: "+79001234567" };
    expect(payoutFaults(method, { ...everything, ...receiver })).toEqual(
      unused.map((name) => `receiver.${name} unknown_member`),
    );
  });

  it("is not looked at while the method is not known", () => {
    expect(payoutFaults("cash", { pan: "1", phone: "2" })).toEqual(["payment.method not_allowed"]);
  });
});

it("lists every fault at once", () => {
  const body = {
    general: { redirect_url: "ftp://x" },
    payment: { method: "sbp-p2p", currency: "ABC", type: "payin", payment_system: "x" },
    receiver: { pan: "4242424242424242", bank: "sberbank" },
    customer: { ip_address: "x" },
  };
  expect(findBodyFaults(body, situation("payout")).map(({ field }) => field)).toEqual([
    "general.redirect_url",
    "payment.type",
    "payment.currency",
    "payment.payment_system",
    "receiver.pan",
    "receiver.phone",
    "customer.ip_address",
  ]);
});
