import { beforeAll, describe, expect, it } from "vitest";
import { setBankAvailability } from "../../src/app/merchants/banks.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Currency } from "../../src/core/currency.ts";
import { credit, minor } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  aClient,
  type MerchantAnswer,
  type NewClient,
  openMerchantClient,
  payinBody,
  payoutBody,
} from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What is refused, with the right status and code, naming the member, and without anything being created or locked. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
let client: NewClient;

beforeAll(async () => {
  client = await aClient(db, service);
  await credit(db, client.projectId, 1_000_000);
});

type Change = Parameters<typeof payinBody>[1];

async function expectRefused(answer: MerchantAnswer, status: number, code: string, field?: string): Promise<void> {
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  if (field !== undefined) expect(answer.json.errors?.map((each) => each.field)).toEqual([field]);
  expect(await countPayments()).toBe(0);
  expect(await client.available()).toEqual({ amount: 1_000_000, locked: 0 });
}

async function countPayments(): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where project_id = $1",
    values: [client.projectId],
  });
  return row?.count ?? 0;
}

const BAD_BODIES: readonly (readonly [string, string, Change])[] = [
  ["an amount of 0", "payment.amount", { payment: { amount: 0 } }],
  ["a negative amount", "payment.amount", { payment: { amount: -1 } }],
  ["a broken amount", "payment.amount", { payment: { amount: 1.5 } }],
  ["an amount as text", "payment.amount", { payment: { amount: "100" } }],
  ["an amount beyond 10^13", "payment.amount", { payment: { amount: 10_000_000_000_001 } }],
  ["no amount", "payment.amount", { payment: { amount: undefined } }],
  ["a null amount", "payment.amount", { payment: { amount: null } }],
  ["an unknown method", "payment.method", { payment: { method: "cash" } }],
  ["a method of another product", "payment.method", { payment: { method: "card-ecom" } }],
  ["a method that is a member of every object", "payment.method", { payment: { method: "constructor" } }],
  ["a currency that there is not", "payment.currency", { payment: { currency: "XYZ" } }],
  ["a currency in small letters", "payment.currency", { payment: { currency: "rub" } }],
  ["the other direction's type", "payment.type", { payment: { type: "payout" } }],
  ["a lifetime of 299", "payment.lifetime", { payment: { lifetime: 299 } }],
  ["a lifetime of 901", "payment.lifetime", { payment: { lifetime: 901 } }],
  ["a member that there is not", "payment.amuont", { payment: { amuont: 1 } }],
  ["a payment_id of 256 characters", "general.payment_id", { general: { payment_id: "x".repeat(256) } }],
  ["an empty payment_id", "general.payment_id", { general: { payment_id: "" } }],
  ["a payment_id with NUL", "general.payment_id", { general: { payment_id: "a\u0000b" } }],
  ["a payment_id with a line end", "general.payment_id", { general: { payment_id: "a\nb" } }],
  ["a payment_id that turns the writing direction", "general.payment_id", { general: { payment_id: "a\u202eb" } }],
  ["a payment_id that isolates a direction", "general.payment_id", { general: { payment_id: "a\u2067b" } }],
  ["a number as payment_id", "general.payment_id", { general: { payment_id: 1 } }],
  ["an address with a password", "general.redirect_url", { general: { redirect_url: "https://u:p@shop.example/" } }],
  ["an address that is none", "general.merchant_callback_url", { general: { merchant_callback_url: "shop" } }],
  ["an ip address that is none", "customer.ip_address", { customer: { ip_address: "300.1.1.1" } }],
  ["no customer id", "customer.id", { customer: { id: "" } }],
  ["a phone without +", "customer.phone", { customer: { phone: "79001234567" } }],
  ["a bank's name that is too long", "sender.bank", { sender: { bank: "b".repeat(65) } }],
];

describe("a pay-in with", () => {
  it.each(BAD_BODIES)("%s is 400 and names %s", async (_, field, change) => {
    await expectRefused(await client.payin(payinBody(client.projectId, change)), 400, "validation_failed", field);
  });

  it("several faults at once names each of them", async () => {
    const change = { general: { payment_id: "" }, payment: { amount: 0, method: "cash", lifetime: 1 } };
    const { status, json } = await client.payin(payinBody(client.projectId, change));
    expect(status).toBe(400);
    const fields = json.errors?.map((each) => each.field) ?? [];
    expect(fields.sort()).toEqual(["general.payment_id", "payment.amount", "payment.lifetime", "payment.method"]);
  });

  it.each([
    ["a bank that there is not", 422, "bank_unknown", { sender: { bank: "no-such-bank" } }],
    [
      "a bank outside the fast payment system",
      422,
      "bank_not_sbp",
      { sender: { bank: "kaspi-bank" }, payment: { method: "sbp-p2p" } },
    ],
    ["a bank of another country", 422, "bank_unknown", { sender: { bank: "kaspi-bank" } }],
    ["a pair that there is not", 403, "method_not_enabled", { payment: { method: "sbp-p2p", currency: "KZT" } }],
    ["a currency that no method has", 403, "method_not_enabled", { payment: { currency: "JPY" } }],
  ] as const)("%s is %i", async (_, status, code, change) => {
    await expectRefused(await client.payin(payinBody(client.projectId, change)), status, code);
  });

  it("a disabled bank is 422", async () => {
    await setBankAvailability(db, "vtb", "disabled");
    await service.settled();
    await expectRefused(
      await client.payin(payinBody(client.projectId, { sender: { bank: "vtb" } })),
      422,
      "bank_unknown",
    );
    await setBankAvailability(db, "vtb", "enabled");
  });

  it("a method that is off, limits that are not met, and a fee that eats it all", async () => {
    const offer = { direction: "payin", method: "card-p2p", currency: "KZT" as Currency } as const;
    const set = async (methods: NonNullable<Parameters<typeof configureProject>[2]["methods"]>) => {
      await configureProject(db, client.projectId, { offers: [offer], methods });
      await service.settled();
    };
    const pay = (amount: number) => client.payin(payinBody(client.projectId, { payment: { currency: "KZT", amount } }));
    await set({ enabled: false });
    await expectRefused(await pay(100), 403, "method_not_enabled");
    await set({ enabled: true, minAmount: minor(100), maxAmount: minor(200) });
    await expectRefused(await pay(99), 422, "amount_out_of_limits");
    await expectRefused(await pay(201), 422, "amount_out_of_limits");
    await set({ feeBp: 0, feeFixed: minor(100) });
    await expectRefused(await pay(100), 422, "amount_out_of_limits");
    await configureProject(db, client.projectId, { settings: { status: "paused" } });
    await service.settled();
    await expectRefused(await pay(150), 403, "project_inactive");
    await configureProject(db, client.projectId, { settings: { status: "active" } });
    await service.settled();
  });
});

describe("a payout with", () => {
  const PHONE = "+79001234567";
  it.each([
    ["no receiver", "receiver.pan", { receiver: {} }],
    ["a card number with blanks", "receiver.pan", { receiver: { pan: "4242 4242 4242 4242" } }],
    ["a member of another method", "receiver.phone", { receiver: { pan: "4242424242424242", phone: PHONE } }],
    [
      "a phone without +",
      "receiver.phone",
      { payment: { method: "sbp-p2p" }, receiver: { phone: "79001234567", bank: "vtb" } },
    ],
    ["a phone and no bank", "receiver.bank", { payment: { method: "sbp-p2p" }, receiver: { phone: PHONE } }],
    ["a lifetime", "payment.lifetime", { payment: { lifetime: 600 } }],
    ["a method for pay-ins", "payment.method", { payment: { method: "qr-link-p2p", currency: "KGS" } }],
    ["an amount beyond 10^13", "payment.amount", { payment: { amount: 10_000_000_000_001 } }],
  ] as const)("%s is 400 and names %s", async (_, field, change) => {
    await expectRefused(await client.payout(payoutBody(client.projectId, change)), 400, "validation_failed", field);
  });

  it.each([
    ["a mistyped card number", 422, "card_invalid", { receiver: { pan: "4242424242424241" } }],
    ["a card that is not the sandbox's", 422, "card_invalid", { receiver: { pan: "4276380000000008" } }],
    ["more than there is", 422, "insufficient_balance", { payment: { amount: 1_000_001 } }],
    ["a currency without a balance", 422, "insufficient_balance", { payment: { currency: "TJS" } }],
    [
      "a bank that there is not",
      422,
      "bank_unknown",
      { payment: { method: "sbp-p2p" }, receiver: { phone: PHONE, bank: "nope" } },
    ],
    [
      "a bank outside the fast payment system",
      422,
      "bank_not_sbp",
      { payment: { method: "sbp-p2p" }, receiver: { phone: PHONE, bank: "kaspi-bank" } },
    ],
    [
      "a bank of another country",
      422,
      "bank_unknown",
      { payment: { method: "mobile-p2p", currency: "KZT" }, receiver: { phone: PHONE, bank: "sberbank" } },
    ],
  ] as const)("%s is %i", async (_, status, code, change) => {
    const answer = await client.payout(payoutBody(client.projectId, change));
    await expectRefused(answer, status, code);
    expect(JSON.stringify(answer.json)).not.toContain("4242424242424241");
  });

  it("a test card is refused on a live project", async () => {
    const live = await aClient(db, service, { book: "live" });
    expect(await live.payout(payoutBody(live.projectId))).toMatchObject({
      status: 422,
      json: { code: "test_card_on_live_project" },
    });
  });

  it("a card of an unknown brand is refused on a live project before its balance is looked at", async () => {
    const live = await aClient(db, service, { book: "live" });
    const route = { direction: "payout", method: "card-p2p", providers: ["pool"] } as const;
    await configureProject(db, live.projectId, { routes: [route] });
    await service.settled();
    const answer = await live.payout(payoutBody(live.projectId, { receiver: { pan: "9999999999999995" } }));
    expect([answer.status, answer.json.code]).toEqual([422, "card_invalid"]);
    expect(JSON.stringify(answer.json)).not.toContain("9999999999999995");
  });

  it("the whole balance is taken when there is no fee, and not a unit more", async () => {
    const other = await aClient(db, service, { feeBp: 100 });
    await credit(db, other.projectId, 101_000);
    const pay = (amount: number) => other.payout(payoutBody(other.projectId, { payment: { amount } }));
    expect(await pay(100_001)).toMatchObject({ status: 422, json: { code: "insufficient_balance" } });
    expect(await pay(100_000)).toMatchObject({ status: 200 });
    expect((await other.available()).amount).toBe(0);
  });
});

it("production takes no address without TLS, to no other port, and to nobody at home", async () => {
  const production = await service.startSibling({}, "api");
  const there = openMerchantClient(() => production.localUrl, client.credentials);
  for (const url of ["http://shop.example/cb", "https://shop.example:8080/cb", "https://127.0.0.1/cb"]) {
    const body = payinBody(client.projectId, { general: { merchant_callback_url: url } });
    await expectRefused(await there.payin(body), 400, "validation_failed", "general.merchant_callback_url");
  }
});
