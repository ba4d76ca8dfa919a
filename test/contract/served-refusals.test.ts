import { beforeAll, describe, expect, it } from "vitest";
import type { Credentials } from "../../sdk/src/index.ts";
import { configureProject, type ProjectChanges } from "../../src/app/merchants/merchants.ts";
import type { Currency } from "../../src/core/currency.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Book } from "../../src/core/merchants/book.ts";
import { listMethodOffers } from "../../src/core/merchants/methods.ts";
import { aProject, credit, minor, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { contractWith } from "./ask-service.ts";

/** Every refusal of a payment call that a merchant can bring about, each held to the document. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const { ask } = contractWith(service);

const PAYIN = "/api/v1/payment/p2p/payin";
const PAYOUT = "/api/v1/payment/p2p/payout";
const CARD_PAYIN = "/api/v1/payment/ecom/payin";
const CARD_PAYOUT = "/api/v1/payment/ecom/payout";
const CARD_CONFIRM = `${CARD_PAYIN}/confirm-3ds-result`;
const CREATES = [PAYIN, PAYOUT, CARD_PAYIN, CARD_PAYOUT];
const PAYMENT = { amount: 250000, currency: "RUB" };
const RECEIVER = { pan: "4242424242424242" };
const CARD = { ...RECEIVER, cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 };

type Owner = { readonly projectId: Id; readonly credentials: Credentials };
let shop: Owner;
let counted = 0;

async function anOwner(book: Book, changes: ProjectChanges = {}): Promise<Owner> {
  const ids = await aProject(db, book);
  const key = await rsaKeyOf(db, { ...ids, book });
  const offers = listMethodOffers().filter(({ method }) => method !== "mobile-p2p");
  const configured = await configureProject(db, ids.projectId, {
    offers,
    methods: { enabled: true, minAmount: minor(100), maxAmount: minor(10_000_000), feeBp: 100 },
    ...changes,
  });
  expect(configured.ok).toBe(true);
  await credit(db, ids.projectId, 1_000_000, "RUB" as Currency);
  await service.settled();
  return {
    projectId: ids.projectId,
    credentials: { ...ids, kind: "rsa", privateKeyPem: key.privateKeyPem.reveal() },
  };
}

beforeAll(async () => {
  shop = await anOwner("test");
});

type Changes = {
  readonly payment?: object;
  readonly receiver?: object;
  readonly sender?: object;
  readonly card?: object;
  readonly customer?: object;
  readonly id?: string;
};

function bodyOf(path: string, owner: Owner, changes: Changes = {}): Record<string, unknown> {
  counted += 1;
  return {
    general: { project_id: owner.projectId, payment_id: changes.id ?? `refused-${counted}` },
    payment: { ...PAYMENT, method: path.includes("/ecom/") ? "card-ecom" : "card-p2p", ...changes.payment },
    ...(changes.sender === undefined ? {} : { sender: changes.sender }),
    ...(path.endsWith("/payout") ? { receiver: changes.receiver ?? RECEIVER } : {}),
    ...(path === CARD_PAYIN ? { card: { ...CARD, ...changes.card } } : {}),
    customer: { id: "customer-1", ip_address: "192.0.2.1", ...changes.customer },
  };
}

async function refusalOf(path: string, body: unknown, owner: Owner = shop): Promise<[number, unknown]> {
  const { status, json } = await ask(path, body, { credentials: owner.credentials });
  return [status, json.code];
}

describe("a create", () => {
  const cases: [string, string, [number, string], Changes][] = [
    ["an amount of zero", PAYIN, [400, "validation_failed"], { payment: { amount: 0 } }],
    ["an unknown method", PAYIN, [400, "validation_failed"], { payment: { method: "barter" } }],
    ["a method of the other direction", PAYOUT, [400, "validation_failed"], { payment: { method: "ussd" } }],
    ["a receiver of another method", PAYOUT, [400, "validation_failed"], { receiver: { phone: "+79001234567" } }],
    ["an unknown provider", PAYIN, [400, "validation_failed"], { payment: { payment_system: "nobody" } }],
    ["a method that is off", PAYIN, [403, "method_not_enabled"], { payment: { method: "mobile-p2p" } }],
    ["a currency that does not go with it", PAYIN, [403, "method_not_enabled"], { payment: { currency: "EUR" } }],
    ["too little", PAYIN, [422, "amount_out_of_limits"], { payment: { amount: 99 } }],
    ["too much", PAYOUT, [422, "amount_out_of_limits"], { payment: { amount: 10_000_001 } }],
    ["an unknown bank", PAYIN, [422, "bank_unknown"], { sender: { bank: "no-such-bank" } }],
    [
      "a bank outside the fast payment system",
      PAYIN,
      [422, "bank_not_sbp"],
      { payment: { method: "sbp-p2p" }, sender: { bank: "kaspi-bank" } },
    ],
    [
      "the same to be paid out to",
      PAYOUT,
      [422, "bank_not_sbp"],
      { payment: { method: "sbp-p2p" }, receiver: { phone: "+79001234567", bank: "kaspi-bank" } },
    ],
    ["more than there is", PAYOUT, [422, "insufficient_balance"], { payment: { amount: 1_000_000 } }],
    ["a mistyped card", PAYOUT, [422, "card_invalid"], { receiver: { pan: "4242424242424241" } }],
    ["a mistyped card", CARD_PAYIN, [422, "card_invalid"], { card: { pan: "4242424242424241" } }],
    ["a card of no known brand", CARD_PAYIN, [422, "card_invalid"], { card: { pan: "1234567890123452" } }],
    ["a card that has expired", CARD_PAYIN, [422, "card_invalid"], { card: { expiry_year: 2020 } }],
    ["a code of the wrong length", CARD_PAYIN, [422, "card_invalid"], { card: { cvv: "1234" } }],
    ["a card that is nobody's", CARD_PAYIN, [422, "card_invalid"], { card: { pan: "4000000000000010" } }],
    ["a number with blanks", CARD_PAYIN, [400, "validation_failed"], { card: { pan: "4242 4242 4242 4242" } }],
    ["a thirteenth month", CARD_PAYIN, [400, "validation_failed"], { card: { expiry_month: 13 } }],
    ["a year of two digits", CARD_PAYIN, [400, "validation_failed"], { card: { expiry_year: 39 } }],
    ["a lifetime of transfers", CARD_PAYIN, [400, "validation_failed"], { payment: { lifetime: 900 } }],
    ["a method of transfers", CARD_PAYIN, [400, "validation_failed"], { payment: { method: "card-p2p" } }],
    ["a method of cards", PAYIN, [400, "validation_failed"], { payment: { method: "card-ecom" } }],
    ["a sender of transfers", CARD_PAYIN, [400, "validation_failed"], { sender: {} }],
    ["an odd browser", CARD_PAYIN, [400, "validation_failed"], { customer: { browser: { screen_width: "1920" } } }],
    ["a browser where none is used", CARD_PAYOUT, [400, "validation_failed"], { customer: { browser: {} } }],
    ["a receiver of another method", CARD_PAYOUT, [400, "validation_failed"], { receiver: { phone: "+79001234567" } }],
    ["a currency that cards do not go with", CARD_PAYIN, [403, "method_not_enabled"], { payment: { currency: "AZN" } }],
    ["too little", CARD_PAYIN, [422, "amount_out_of_limits"], { payment: { amount: 99 } }],
    ["too much", CARD_PAYOUT, [422, "amount_out_of_limits"], { payment: { amount: 10_000_001 } }],
    ["more than there is", CARD_PAYOUT, [422, "insufficient_balance"], { payment: { amount: 1_000_000 } }],
    ["a mistyped card", CARD_PAYOUT, [422, "card_invalid"], { receiver: { pan: "4242424242424241" } }],
    ["a card that is nobody's", CARD_PAYOUT, [422, "card_invalid"], { receiver: { pan: "4000000000000010" } }],
    ["a card that is not the sandbox's", PAYOUT, [422, "card_invalid"], { receiver: { pan: "4000000000000010" } }],
  ];
  it.each(cases)("with %s is refused as documented", async (_, path, refusal, changes) => {
    expect(await refusalOf(path, bodyOf(path, shop, changes))).toEqual(refusal);
  });

  it("of a project that is paused is refused, unless it repeats one", async () => {
    const owner = await anOwner("test");
    const earlier = bodyOf(PAYIN, owner);
    expect((await ask(PAYIN, earlier, owner)).status).toBe(200);
    await configureProject(db, owner.projectId, { settings: { status: "paused" } });
    await service.settled();
    expect(await refusalOf(PAYIN, bodyOf(PAYIN, owner), owner)).toEqual([403, "project_inactive"]);
    expect((await ask(PAYIN, earlier, owner)).headers["idempotent-replayed"]).toBe("true");
  });

  it("of a live project with a test card is refused", async () => {
    const owner = await anOwner("live");
    for (const path of [PAYOUT, CARD_PAYIN, CARD_PAYOUT]) {
      expect(await refusalOf(path, bodyOf(path, owner), owner)).toEqual([422, "test_card_on_live_project"]);
    }
  });

  it("of a card that differs in its code alone is a repeat, since the code is kept nowhere", async () => {
    expect((await ask(CARD_PAYIN, bodyOf(CARD_PAYIN, shop, { id: "coded" }), shop)).status).toBe(200);
    const again = await ask(CARD_PAYIN, bodyOf(CARD_PAYIN, shop, { id: "coded", card: { cvv: "999" } }), shop);
    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  });

  it.each(CREATES)("with another body under a known id is a conflict: %s", async (path) => {
    const known = { id: `known-${path}`, payment: { amount: 10000 } };
    const body = bodyOf(path, shop, known);
    expect((await ask(path, body, shop)).status).toBe(200);
    const other = bodyOf(path, shop, { ...known, payment: { amount: 10100 } });
    expect(await refusalOf(path, other)).toEqual([409, "payment_id_conflict"]);
    expect((await ask(path, body, shop)).headers["idempotent-replayed"]).toBe("true");
  });

  it("that came too often is told to wait", async () => {
    const owner = await anOwner("test", { settings: { ratePerSecond: 1, rateBurst: 1 } });
    const answers = await Promise.all(
      [...CREATES, ...CREATES, `${PAYIN}/info`, `${CARD_PAYIN}/info`, CARD_CONFIRM].map((path) =>
        ask(path, bodyOf(path, owner), { credentials: owner.credentials }),
      ),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    for (const { headers } of limited) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("a call that names a payment", () => {
  const paths = [
    `${PAYIN}/info`,
    `${PAYIN}/confirm`,
    `${PAYIN}/cancel`,
    `${PAYOUT}/info`,
    `${CARD_PAYIN}/info`,
    CARD_CONFIRM,
    `${CARD_PAYOUT}/info`,
  ];
  const naming = (path: string, { projectId }: Owner, id: string) => ({
    general: { project_id: projectId, payment_id: id },
    ...(path === CARD_CONFIRM ? { three_ds: { cres: "eyJj" } } : {}),
  });

  it.each(paths)("is 404 for one that there is not: %s", async (path) => {
    expect(await refusalOf(path, naming(path, shop, "nobody-knows"))).toEqual([404, "payment_not_found"]);
  });

  it.each(paths)("is 404 for one that was made by another call: %s", async (path) => {
    for (const create of CREATES.filter((each) => !path.startsWith(`${each}/`))) {
      const id = `made-by-${create}-not-for-${path}`;
      expect((await ask(create, bodyOf(create, shop, { id, payment: { amount: 10000 } }), shop)).status).toBe(200);
      expect(await refusalOf(path, naming(path, shop, id))).toEqual([404, "payment_not_found"]);
    }
  });

  it.each(paths)("is 404 for one of another project: %s", async (path) => {
    const create = CREATES.find((each) => path.startsWith(`${each}/`)) ?? "";
    const id = `not-yours-${path}`;
    expect((await ask(create, bodyOf(create, shop, { id, payment: { amount: 10000 } }), shop)).status).toBe(200);
    const stranger = await anOwner("test");
    expect(await refusalOf(path, naming(path, stranger, id), stranger)).toEqual([404, "payment_not_found"]);
  });

  it.each(paths)("takes no other members: %s", async (path) => {
    const body = { ...bodyOf(PAYIN, shop), ...naming(path, shop, "any") };
    expect(await refusalOf(path, body)).toEqual([400, "validation_failed"]);
  });
});
