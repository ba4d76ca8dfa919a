import { describe, expect, it, vi } from "vitest";
import { rsaAccessToken, signRequest } from "../../sdk/src/index.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { listMethodOffers } from "../../src/core/merchants/methods.ts";
import { aProject, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { AMOUNT, type CardOrder, SOON, shown, stateOf, useCardShop } from "./card-shop.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const shop = useCardShop(database, service);
const PAYIN = "/api/v1/payment/ecom/payin";

function lastMonth(): { expiry_month: number; expiry_year: number } {
  const now = new Date();
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  return { expiry_month: last.getUTCMonth() + 1, expiry_year: last.getUTCFullYear() };
}

function thisMonth(): { expiry_month: number; expiry_year: number } {
  const now = new Date();
  return { expiry_month: now.getUTCMonth() + 1, expiry_year: now.getUTCFullYear() };
}

async function countCards(): Promise<number> {
  const rows = await db.run<{ count: number }>({ text: "select count(*)::int as count from card_payins" });
  return rows[0]?.count ?? -1;
}

/** Status, code, and the members that are wrong. */
async function refusalOf(order: CardOrder): Promise<unknown[]> {
  const before = await countCards();
  const body = shop.bodyOf(order);
  const { status, json, text } = await shop.repeat(body);
  expect(await countCards()).toBe(before);
  const { card } = body as { card: { pan?: unknown; cvv?: unknown } };
  for (const secret of [card.pan, card.cvv])
    if (typeof secret === "string" && secret !== "") expect(text).not.toContain(secret);
  const fields = (json.errors as { field: string }[] | undefined)?.map(({ field }) => field) ?? [];
  return [status, json.code, ...fields];
}

const BAD_FORM = [400, "validation_failed"] as const;
const BAD_CARD = [422, "card_invalid"] as const;

describe("a card pay-in is refused", () => {
  it.each<[string, CardOrder, readonly unknown[]]>([
    ["a number with blanks", { pan: "4242 4242 4242 4242" }, [...BAD_FORM, "card.pan"]],
    ["a number with dashes", { pan: "4242-4242-4242-4242" }, [...BAD_FORM, "card.pan"]],
    ["a number of 11 digits", { pan: "42424242424" }, [...BAD_FORM, "card.pan"]],
    ["a number of 20 digits", { pan: "42424242424242424242" }, [...BAD_FORM, "card.pan"]],
    ["digits of another script", { pan: "４２４２４２４２４２４２４２４２" }, [...BAD_FORM, "card.pan"]],
    ["a number that is a number", { card: { pan: 4242424242424242 } }, [...BAD_FORM, "card.pan"]],
    ["a mistyped number", { pan: "4242424242424241" }, BAD_CARD],
    ["zeros", { pan: "0000000000000000" }, BAD_CARD],
    ["a number of no brand", { pan: "9999999999999995" }, BAD_CARD],
    ["a card that is not the sandbox's", { pan: "4012888888881881" }, BAD_CARD],
    ["month 13", { card: { expiry_month: 13 } }, [...BAD_FORM, "card.expiry_month"]],
    ["month 0", { card: { expiry_month: 0 } }, [...BAD_FORM, "card.expiry_month"]],
    ["a year of two digits", { card: { expiry_year: 41 } }, [...BAD_FORM, "card.expiry_year"]],
    ["a card that was good until last month", { card: lastMonth() }, BAD_CARD],
    ["a CVV of two digits", { cvv: "98" }, [...BAD_FORM, "card.cvv"]],
    ["a CVV of five digits", { cvv: "98765" }, [...BAD_FORM, "card.cvv"]],
    ["a CVV of four digits with Visa", { cvv: "9876" }, BAD_CARD],
    ["a CVV of three digits with American Express", { pan: "378282246310005", cvv: "987" }, BAD_CARD],
    ["no CVV", { card: { cvv: undefined } }, [...BAD_FORM, "card.cvv"]],
    ["a holder of one letter", { card: { card_holder: "O" } }, [...BAD_FORM, "card.card_holder"]],
    ["a lifetime of 299", { payment: { lifetime: 299 } }, [...BAD_FORM, "payment.lifetime"]],
    ["a lifetime of 601", { payment: { lifetime: 601 } }, [...BAD_FORM, "payment.lifetime"]],
    ["a method of another path", { payment: { method: "card-p2p" } }, [...BAD_FORM, "payment.method"]],
    ["dollars", { currency: "USD" }, [403, "method_not_enabled"]],
    ["no money", { amount: 0 }, [...BAD_FORM, "payment.amount"]],
  ])("%s", async (_, order, refusal) => {
    expect(await refusalOf(order)).toEqual(refusal);
  });

  it("on the path of transfers", async () => {
    const { card, ...body } = shop.bodyOf({}) as { card: object };
    const answer = await shop.ask("/api/v1/payment/p2p/payin", body);
    expect([answer.status, answer.json.errors]).toMatchObject([400, [{ field: "payment.method" }]]);
    const withCard = await shop.ask("/api/v1/payment/p2p/payin", { ...body, card });
    expect([withCard.status, withCard.text]).toEqual([400, expect.not.stringContaining("4242424242424242")]);
  });

  it("with the sandbox's cards, on a live project", async () => {
    const { projectId, merchantId } = await aProject(db, "live");
    const offers = listMethodOffers().filter(({ method }) => method === "card-ecom");
    await configureProject(db, projectId, { offers, methods: { enabled: true } });
    const key = await rsaKeyOf(db, { merchantId, projectId, book: "live" });
    await service.settled();
    const privateKeyPem = key.privateKeyPem.reveal();
    const credentials = {
      merchantId,
      projectId,
      kind: "rsa",
      privateKeyPem,
      accessToken: rsaAccessToken(privateKeyPem),
    };
    const general = { project_id: projectId };
    for (const [path, body] of [
      [PAYIN, shop.bodyOf({ general })],
      ["/api/v1/payment/ecom/payout", payoutBody("live-1", { general })],
    ] as const) {
      const rawBody = JSON.stringify(body);
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = Object.entries(signRequest({ credentials: credentials as never, path, rawBody, timestamp }));
      const answer = await sendRaw({ url: service.url() + path, headers, body: rawBody });
      expect([answer.status, answer.json.code]).toEqual([422, "test_card_on_live_project"]);
    }
  });
});

describe("a card pay-in is taken", () => {
  it.each<[string, CardOrder]>([
    ["in tenge", { currency: "KZT" }],
    ["in sum", { currency: "UZS" }],
    ["with a lifetime of 300", { payment: { lifetime: 300 } }],
    ["with a lifetime of 600", { payment: { lifetime: 600 } }],
    ["in the last month of the card", { card: thisMonth() }],
    ["with a holder as long as may be", { card: { card_holder: "Ж".repeat(64) } }],
    ["with all that can be said of a browser", { customer: { browser: BROWSER } }],
  ])("%s", async (_, order) => {
    const payment = await shop.create(order);
    await shop.until(payment, "success");
    expect((await shop.booksOf(payment)).bank).toBe(AMOUNT);
  });

  it.each([-60_000, 60_000])("though this machine's clock is %i ms off the database's", async (offMs) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offMs });
    try {
      await shop.until(await shop.create(), "success");
    } finally {
      vi.useRealTimers();
    }
  });

  it("for a project with a long name, which the issuer shows in part", async () => {
    await db.run({ text: "update projects set name = repeat('Ж', 128) where id = $1", values: [shop.projectId()] });
    await service.settled();
    await shop.until(await shop.create(), "success");
  });
});

const BROWSER = {
  accept_header: "text/html",
  user_agent: "Mozilla/5.0",
  language: "ru-RU",
  color_depth: 24,
  screen_width: 1920,
  screen_height: 1080,
  timezone_offset: -180,
  java_enabled: false,
};

describe("the same payment_id", () => {
  const replayed = "idempotent-replayed";

  it("with the same body, or with another CVV, answers the payment that there is", async () => {
    const body = shop.bodyOf({}) as { card: object };
    const first = await shop.repeat(body);
    expect([first.status, first.headers[replayed]]).toEqual([200, undefined]);
    await shop.until(shown(first), "success");
    for (const cvv of ["987", "123", "9876"]) {
      const again = await shop.repeat({ ...body, card: { ...body.card, cvv } });
      expect([again.status, again.headers[replayed], stateOf(shown(again))]).toEqual([200, "true", "success"]);
      expect(shown(again).request_id).toBe(shown(first).request_id);
    }
    expect((await shop.booksOf(shown(first))).bank).toBe(AMOUNT);
  });

  it("with another card, holder, expiry or amount is a conflict", async () => {
    const body = shop.bodyOf({}) as { card: object; payment: object };
    await shop.repeat(body);
    for (const change of [{ pan: "5555555555554444" }, { card_holder: "OLGA S" }, { expiry_month: 10 }]) {
      const answer = await shop.repeat({ ...body, card: { ...body.card, ...change } });
      expect([answer.status, answer.json.code]).toEqual([409, "payment_id_conflict"]);
    }
    const dearer = await shop.repeat({ ...body, payment: { ...body.payment, amount: AMOUNT + 1 } });
    expect(dearer.json.code).toBe("payment_id_conflict");
  });

  it("of many at once charges once", async () => {
    const body = shop.bodyOf({});
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.repeat(body)));
    expect(answers.filter((answer) => answer.headers[replayed] === undefined)).toHaveLength(1);
    const [first] = answers.map(shown);
    if (first === undefined) throw new Error("nobody was answered");
    expect(new Set(answers.map((answer) => shown(answer).request_id)).size).toBe(1);
    await shop.until(first, "success");
    expect((await shop.booksOf(first)).bank).toBe(AMOUNT);
  });

  it("is seen on its own path only", async () => {
    const payment = await shop.create();
    for (const path of ["/api/v1/payment/p2p/payin/info", "/api/v1/payment/ecom/payout/info"]) {
      expect((await shop.ask(path, shop.named(payment.payment_id))).status).toBe(404);
    }
  });
});

function payoutBody(paymentId: string, change: { general?: object; receiver?: object; amount?: number } = {}): object {
  return {
    general: { project_id: shop.projectId(), payment_id: paymentId, ...change.general },
    payment: { method: "card-ecom", amount: change.amount ?? 100_000, currency: "RUB" },
    receiver: { pan: "5555555555554444", card_holder: "OLGA SERGEEVA", ...change.receiver },
    customer: { id: "customer-1", ip_address: "192.0.2.1" },
  };
}

describe("a payout to a card", () => {
  const PAYOUT = "/api/v1/payment/ecom/payout";
  const ended = async (paymentId: string) => {
    const found = await shop.ask(`${PAYOUT}/info`, shop.named(paymentId));
    return stateOf(shown(found));
  };

  it.each([
    ["arrives", 100_000, "success", { "clearing:sandbox": 100_000, fees: 1_000, locked: 0, available: -101_000 }],
    ["is declined, and nothing is taken", 100_001, "decline:provider_declined", { locked: 0, available: 0 }],
  ])("%s", async (_, amount, end, accounts) => {
    const paymentId = `payout-${amount}`;
    const created = await shop.ask(PAYOUT, payoutBody(paymentId, { amount }));
    expect([created.status, stateOf(shown(created))]).toEqual([200, "processing:new"]);
    await expect.poll(() => ended(paymentId), SOON).toBe(end);
    const rows = await db.run<{ account: string; amount: bigint }>({
      text: "select account, sum(amount)::bigint as amount from entries where subject_id = $1 group by account",
      values: [shown(created).request_id],
    });
    expect(Object.fromEntries(rows.map((row) => [row.account, Number(row.amount)]))).toEqual(accounts);
  });

  it.each([
    ["to a mistyped card", { pan: "5555555555554445" }, [422, "card_invalid"]],
    ["to a card that is not the sandbox's", { pan: "4012888888881881" }, [422, "card_invalid"]],
    ["to a card with blanks", { pan: "5555 5555 5555 4444" }, [400, "validation_failed"]],
    ["to a phone", { pan: undefined, phone: "+79001234567" }, [400, "validation_failed"]],
  ])("%s is refused", async (_, receiver, refusal) => {
    const { status, json } = await shop.ask(PAYOUT, payoutBody("refused", { receiver }));
    expect([status, json.code]).toEqual(refusal);
  });
});
