import { describe, expect, it } from "vitest";
import { findBodyFaults } from "../../core/payments/body-rules.ts";
import type { JsonObject, JsonValue } from "../../platform/strict-json.ts";
import { bodyOfPayment, type P2pPayinBody, type PayoutBody, p2pPayinBody, payoutBody } from "./blocks.ts";
import { compileValidator, type Validate, withRules } from "./validate.ts";

const checkPayin = compileValidator(p2pPayinBody);
const checkPayout = compileValidator(payoutBody);
const checkOfPayment = compileValidator(bodyOfPayment);

const PAYIN = {
  general: { project_id: "0192f0c1a2b37c4d8e5f60718293a4b5", payment_id: "ord-771" },
  payment: { method: "card-p2p", amount: 250_000, currency: "RUB" },
  customer: { id: "c-1", ip_address: "203.0.113.7" },
} satisfies P2pPayinBody;

const PAYOUT = { ...PAYIN, receiver: { pan: "4242424242424242" } } satisfies PayoutBody;

/** The body with one member set to another value; undefined takes the member out. */
function changed(body: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [name = "", ...rest] = path.split(".");
  if (rest.length > 0) return { ...body, [name]: changed((body[name] ?? {}) as JsonObject, rest.join("."), value) };
  const { [name]: _before, ...others } = body;
  return value === undefined ? others : { ...others, [name]: value };
}

function faultsOf(check: Validate, body: JsonObject): string[] {
  return check(body).map(({ field, code }) => `${field} ${code}`);
}

const payinFaults = (path: string, value: JsonValue | undefined) => faultsOf(checkPayin, changed(PAYIN, path, value));
const payoutFaults = (path: string, value: JsonValue | undefined) =>
  faultsOf(checkPayout, changed(PAYOUT, path, value));

const BIDI = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"];
const CONTROLS = ["\u0000", "\n", "\r", "\t", "\u001b", "\u001f", "\u007f", "\u0085", "\u009f"];
const LONE_SURROGATE = "\ud83d";

describe("bodies that fit", () => {
  it("need only what is required", () => {
    expect(checkPayin(PAYIN)).toEqual([]);
    expect(checkPayout(PAYOUT)).toEqual([]);
    expect(checkOfPayment({ general: PAYIN.general })).toEqual([]);
  });

  it("may hold everything that is optional", () => {
    const general = {
      ...PAYIN.general,
      merchant_callback_url: "https://shop.example/callbacks",
      merchant_success_callback_url: "https://shop.example/success",
      merchant_decline_callback_url: "https://shop.example/decline",
      redirect_url: "https://shop.example/back",
    };
    const customer = {
      ...PAYIN.customer,
      country: "RU",
      language: "ru",
      email: "ivan@shop.example",
      phone: "+79001234567",
      first_name: "Иван",
      last_name: "O'Neil",
    };
    const terms = { ...PAYIN.payment, payment_system: "sandbox", description: "Order 771, «two» & more" };
    const sender = { bank: "sberbank", pan_last4: "0042", name: "Ivan I.", phone: "+79001234567" };
    const receiver = {
      pan: "4242424242424242",
      card_holder: "IVAN IVANOV",
      phone: "+79001234567",
      account_number: "40817810099910004312",
      bank: "sberbank",
      name: "Иван Иванов",
    };
    const payment = { ...terms, type: "payin", lifetime: 600 };
    expect(checkPayin({ general, payment, sender, customer })).toEqual([]);
    expect(checkPayout({ general, payment: { ...terms, type: "payout" }, receiver, customer })).toEqual([]);
  });

  it("may hold an empty sender", () => {
    expect(payinFaults("sender", {})).toEqual([]);
  });
});

describe("payment_id", () => {
  it.each([
    ["one character", "1"],
    ["255 characters", "a".repeat(255)],
    ["255 emoji, which are 510 code units", "😀".repeat(255)],
    ["quotes and other signs", `o'rd-"7";\\ %00 <b> -- {}`],
    ["another script", "заказ №771 هزار"],
    ["blanks", " 7 "],
  ])("takes %s", (_name, paymentId) => {
    expect(payinFaults("general.payment_id", paymentId)).toEqual([]);
    expect(faultsOf(checkOfPayment, changed({ general: PAYIN.general }, "general.payment_id", paymentId))).toEqual([]);
  });

  it.each([
    ["nothing", "", "too_short"],
    ["256 characters", "a".repeat(256), "too_long"],
    ["256 emoji", "😀".repeat(256), "too_long"],
    ["a number", 771, "wrong_type"],
    ["null", null, "wrong_type"],
    ["half of a surrogate pair", `a${LONE_SURROGATE}`, "bad_format"],
  ])("refuses %s", (_name, paymentId, code) => {
    expect(payinFaults("general.payment_id", paymentId)).toEqual([`general.payment_id ${code}`]);
    expect(payoutFaults("general.payment_id", paymentId)).toEqual([`general.payment_id ${code}`]);
    const info = changed({ general: PAYIN.general }, "general.payment_id", paymentId);
    expect(faultsOf(checkOfPayment, info)).toEqual([`general.payment_id ${code}`]);
  });
});

describe("every text that people write", () => {
  it.each([
    "general.payment_id",
    "general.merchant_callback_url",
    "general.redirect_url",
    "payment.method",
    "payment.payment_system",
    "payment.description",
    "customer.id",
    "customer.ip_address",
    "customer.first_name",
    "customer.last_name",
    "receiver.card_holder",
    "receiver.bank",
    "receiver.name",
  ])("%s refuses control characters and overrides of the writing direction", (path) => {
    for (const character of [...CONTROLS, ...BIDI, LONE_SURROGATE]) {
      expect(payoutFaults(path, `a${character}b`), JSON.stringify(character)).toEqual([`${path} bad_format`]);
    }
  });

  it.each(["sender.bank", "sender.name"])("%s too", (path) => {
    for (const character of [...CONTROLS, ...BIDI]) {
      expect(payinFaults(path, `a${character}`), JSON.stringify(character)).toEqual([`${path} bad_format`]);
    }
  });
});

describe("members that are missing", () => {
  it.each([
    "general",
    "general.project_id",
    "general.payment_id",
    "payment",
    "payment.method",
    "payment.amount",
    "payment.currency",
    "customer",
    "customer.id",
    "customer.ip_address",
  ])("%s is required", (path) => {
    expect(payinFaults(path, undefined)).toEqual([`${path} required`]);
    expect(payoutFaults(path, undefined)).toEqual([`${path} required`]);
  });

  it("a payout must have a receiver", () => {
    expect(payoutFaults("receiver", undefined)).toEqual(["receiver required"]);
  });
});

describe("members that are not known", () => {
  it.each(["extra", "general.extra", "payment.extra", "customer.browser", "sender.extra", "receiver", "card"])(
    "a pay-in refuses %s",
    (path) => expect(payinFaults(path, {})).toEqual([`${path} unknown_member`]),
  );

  it.each(["extra", "payment.lifetime", "payment.widget_method", "receiver.extra", "customer.browser", "sender"])(
    "a payout refuses %s",
    (path) => expect(payoutFaults(path, "x")).toEqual([`${path} unknown_member`]),
  );

  it("a question about a payment takes no URLs and no other block", () => {
    const body = { general: { ...PAYIN.general, redirect_url: "https://shop.example/" }, payment: PAYIN.payment };
    expect(faultsOf(checkOfPayment, body).sort()).toEqual([
      "general.redirect_url unknown_member",
      "payment unknown_member",
    ]);
  });
});

describe("bounds", () => {
  it.each([
    ["payment.amount", 1],
    ["payment.amount", 10_000_000_000_000],
    ["payment.lifetime", 300],
    ["payment.lifetime", 900],
    ["payment.description", ""],
    ["payment.description", "😀".repeat(255)],
    ["customer.id", "x".repeat(64)],
    ["customer.first_name", "x".repeat(64)],
    ["customer.email", `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`],
    ["customer.email", "имя@почта.рф"],
    ["customer.email", "first.last+tag@sub.shop.xn--p1ai"],
    ["customer.phone", "+2901234"],
    ["customer.phone", "+123456789012345"],
    ["sender.name", "x".repeat(64)],
    ["sender.bank", "x".repeat(64)],
  ])("%s takes %j", (path, value) => expect(payinFaults(path, value)).toEqual([]));

  it.each([
    ["payment.amount", 0, "too_small"],
    ["payment.amount", -1, "too_small"],
    ["payment.amount", 10_000_000_000_001, "too_big"],
    ["payment.amount", "100", "wrong_type"],
    ["payment.amount", null, "wrong_type"],
    ["payment.lifetime", 299, "too_small"],
    ["payment.lifetime", 901, "too_big"],
    ["payment.currency", "rub", "bad_format"],
    ["payment.currency", "RUBB", "bad_format"],
    ["payment.currency", "", "bad_format"],
    ["payment.currency", "RUB\n", "bad_format"],
    ["payment.type", "refund", "not_allowed"],
    ["payment.type", 1, "not_allowed"],
    ["payment.method", "m".repeat(33), "too_long"],
    ["payment.payment_system", "p".repeat(33), "too_long"],
    ["payment.description", "d".repeat(256), "too_long"],
    ["payment.description", "😀".repeat(256), "too_long"],
    ["general.project_id", "p".repeat(33), "too_long"],
    ["general.merchant_success_callback_url", `https://shop.example/${"a".repeat(2048)}`, "too_long"],
    ["general.redirect_url", 7, "wrong_type"],
    ["customer.id", "", "too_short"],
    ["customer.id", "x".repeat(65), "too_long"],
    ["customer.id", 7, "wrong_type"],
    ["customer.first_name", "x".repeat(65), "too_long"],
    ["customer.last_name", "x".repeat(65), "too_long"],
    ["customer.country", "ru", "bad_format"],
    ["customer.country", "RUS", "bad_format"],
    ["customer.language", "RU", "bad_format"],
    ["customer.phone", "79001234567", "bad_format"],
    ["customer.phone", "+7 900 123-45-67", "bad_format"],
    ["customer.phone", "+09001234567", "bad_format"],
    ["customer.phone", "+1234567890123456", "bad_format"],
    ["customer.email", "ivan", "bad_format"],
    ["customer.email", "ivan@shop", "bad_format"],
    ["customer.email", "@shop.example", "bad_format"],
    ["customer.email", "a@b@shop.example", "bad_format"],
    ["customer.email", "a b@shop.example", "bad_format"],
    ["customer.email", "a\u202e@shop.example", "bad_format"],
    ["customer.email", "a@-shop.example", "bad_format"],
    ["customer.email", "a@shop..example", "bad_format"],
    ["sender", null, "wrong_type"],
    ["sender", [], "wrong_type"],
    ["sender.pan_last4", "123", "bad_format"],
    ["sender.pan_last4", "12345", "bad_format"],
    ["sender.pan_last4", 1234, "wrong_type"],
    ["sender.phone", "89001234567", "bad_format"],
    ["sender.name", "x".repeat(65), "too_long"],
    ["sender.bank", "x".repeat(65), "too_long"],
  ])("%s refuses %j: %s", (path, value, code) => expect(payinFaults(path, value)).toEqual([`${path} ${code}`]));

  it("an e-mail address has at most 254 characters", () => {
    const tooLong = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(58)}.com`;
    expect(tooLong).toHaveLength(255);
    expect(payinFaults("customer.email", tooLong)).toEqual(["customer.email too_long"]);
  });

  it.each([
    ["receiver.pan", "12345678901", "bad_format"],
    ["receiver.pan", "12345678901234567890", "bad_format"],
    ["receiver.pan", "4242 4242 4242 4242", "bad_format"],
    ["receiver.pan", "4242-4242-4242-4242", "bad_format"],
    ["receiver.pan", "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢", "bad_format"],
    ["receiver.pan", 4242424242424242, "wrong_type"],
    ["receiver.phone", "9001234567", "bad_format"],
    ["receiver.account_number", "", "bad_format"],
    ["receiver.account_number", "1".repeat(35), "bad_format"],
    ["receiver.account_number", "4081 7810", "bad_format"],
    ["receiver.card_holder", "x".repeat(65), "too_long"],
    ["receiver.name", "", "too_short"],
    ["receiver.name", "x".repeat(65), "too_long"],
    ["receiver.bank", "", "too_short"],
  ])("%s refuses %j: %s", (path, value, code) => expect(payoutFaults(path, value)).toEqual([`${path} ${code}`]));

  it.each([
    ["receiver.pan", "123456789012"],
    ["receiver.pan", "1234567890123456789"],
    ["receiver.account_number", "1".repeat(34)],
    ["receiver.account_number", "mi.alias-22"],
  ])("%s takes %j", (path, value) => expect(payoutFaults(path, value)).toEqual([]));
});

describe("the words", () => {
  const wordsOf = (path: string, value: JsonValue) => checkPayin(changed(PAYIN, path, value)).map((f) => f.message);

  it.each([
    ["payment.amount", 10_000_000_000_001, "must be at most 10000000000000"],
    ["payment.lifetime", 299, "must be at least 300"],
    ["payment.currency", "rub", "must be three capital letters, such as RUB"],
    ["payment.type", "refund", "must be payin or payout"],
    ["customer.id", "", "must have at least 1 character"],
    [
      "customer.phone",
      "89001234567",
      "must be a phone number with + and the country's code in front and no spaces, such as +79001234567",
    ],
    ["customer.email", "ivan", "must be an e-mail address, such as name@shop.example"],
    [
      "payment.description",
      "\u202e",
      "must not hold control characters, or characters that turn the direction of writing",
    ],
  ])("for %s tell what to send", (path, value, message) => expect(wordsOf(path, value)).toEqual([message]));

  it("never repeat a card number", () => {
    const faults = checkPayout(changed(PAYOUT, "receiver.pan", "42424242424242424242"));
    expect(JSON.stringify(faults)).not.toContain("4242");
  });
});

describe("the schema and the rules together", () => {
  const situation = {
    product: "p2p",
    direction: "payin",
    mode: "production",
    providerCodes: new Set(["sandbox"]),
  } as const;
  const check = withRules(checkPayin, (body) => findBodyFaults(body, situation));

  it("list every wrong member, each once", () => {
    const payment = { method: "card-ecom", amount: 0, currency: "rub", type: "payout", payment_system: "other" };
    const general = { ...PAYIN.general, redirect_url: "http://shop.example/" };
    expect(check({ general, payment, customer: { id: "", ip_address: "localhost" } }).map((f) => f.field)).toEqual([
      "payment.amount",
      "payment.currency",
      "customer.id",
      "general.redirect_url",
      "payment.type",
      "payment.method",
      "payment.payment_system",
      "customer.ip_address",
    ]);
  });

  it.each([null, 1, "x", [], {}, { general: null, payment: [], customer: 5 }])("do not stumble over %j", (body) => {
    expect(check(body).length).toBeGreaterThan(0);
  });

  it("have nothing against a body that is right", () => expect(check(PAYIN)).toEqual([]));
});
