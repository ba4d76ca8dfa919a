import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cardRowOf, sealStep, unsealStep } from "../../src/app/cards/card-secrets.ts";
import { packBytes } from "../../src/app/request-log/pack.ts";
import { TEST_CARDS } from "../../src/core/cards/test-cards.ts";
import type { Id } from "../../src/core/ids.ts";
import { type BrowserPage, openPage, postForm, submitForm } from "../../src/sandbox/test-browser.ts";
import { findCardPayin } from "../../src/store/cards/card-payins.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sendRaw } from "../../src/testing/http/raw-http.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { goBack, goDirectly, goThroughPage, openForward, typeCodes } from "./card-payer.ts";
import { type CardOrder, type ShownPayment, SOON, shown, useCardShop } from "./card-shop.ts";
import { dumpDatabase, findLeaks, NOT_OPENED, openSealedValues, type Place } from "./leak-search.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, { TILLGATE_LOG_LEVEL: "debug" });
const shop = useCardShop(database, service);

const CVV = "739";
const HOLDER = "ZINAIDA QUETZALCOATL";
/** The numbers, the holder, and the CVV, which none of the sums, counts and codes of this run is equal to. */
const SECRETS = { texts: [...TEST_CARDS, HOLDER], codes: [CVV] };
const AT_ISSUER = "processing:awaiting_3ds_result";
const pages: string[] = [];

function canary(order: CardOrder = {}): CardOrder {
  return { cvv: CVV, ...order, card: { card_holder: HOLDER, ...order.card } };
}

function keep({ text, headers }: BrowserPage): void {
  pages.push(withoutPublishedCards(text), JSON.stringify(Object.fromEntries(headers)));
}

/** A test project's page lists the sandbox's cards, from which its payer may take one. */
function withoutPublishedCards(text: string): string {
  return text.replace(/"test_cards":\[[^\]]*\]/, "");
}

async function challenged(pan: string): Promise<ShownPayment> {
  return shop.until(await shop.create(canary({ pan })), AT_ISSUER);
}

async function readLoggedCalls(from: typeof db) {
  const [row] = await from.run<{ calls: number; packed: number }>({
    text: `select coalesce(sum(call_count), 0)::int as calls,
                  count(*) filter (where get_byte(bodies, 0) = 1)::int as packed from request_log`,
  });
  return row ?? { calls: 0, packed: 0 };
}

/** Everything that is kept or was said, on both sides of the counter. */
async function everything(): Promise<Place[]> {
  const files = readdirSync(service.stateDir).map((name) => ({
    where: name,
    text: readFileSync(join(service.stateDir, name), "utf8"),
  }));
  const said = (where: string, texts: readonly string[]) => texts.map((text) => ({ where, text }));
  return [
    ...(await dumpDatabase(database.url)),
    ...(await dumpDatabase(database.sandboxUrl)),
    ...files,
    ...said("log", service.logLines()),
    ...said("answer", shop.answers()),
    ...said("page", pages),
    ...said(
      "shop",
      shop
        .received()
        .flatMap(({ path, headers, rawBody }) => [path, JSON.stringify(headers), rawBody.toString("utf8")]),
    ),
  ];
}

describe("a card's number, holder and CVV", () => {
  it("go through every flow", { timeout: 240_000 }, async () => {
    const ends = new Set(["success", "decline", AT_ISSUER.split(":")[0]]);
    const all = await Promise.all(TEST_CARDS.map((pan) => shop.create(canary({ pan }))));
    for (const payment of all) {
      await expect.poll(async () => ends.has((await shop.info(payment)).status), SOON).toBe(true);
    }
    for (const pan of ["4000000000003220", "4111111111111111"]) {
      const [through, direct, failed] = [await challenged(pan), await challenged(pan), await challenged(pan)];
      keep(await openForward(through));
      for (const issuer of [await goThroughPage(through), await goDirectly(direct)]) {
        const back = await goBack(await typeCodes(issuer, "1111", "1234"));
        keep(back.ours);
      }
      keep((await goBack(await submitForm(await goThroughPage(failed), {}, "Cancel"))).ours);
      await shop.until(failed, "decline:three_ds_failed");
      await shop.until(direct, "success");
    }
    await shop.wish("late_approval", 50);
    await shop.until(await shop.create(canary({ pan: "4000000000000002" })), "decline:provider_declined");
    await shop.wish("wrong_amount");
    await shop.until(await shop.create(canary()), "dispute:different_amount");
  });

  it("are refused in every way", async () => {
    const refused: [CardOrder, number][] = [
      [{ pan: "4242424242424241" }, 422],
      [{ card: { expiry_year: 2020 } }, 422],
      [{ card: { expiry_month: 13 } }, 400],
      [{ card: { [TEST_CARDS[0] ?? ""]: CVV } }, 400],
      [{ card: { pan: 4242424242424242 } }, 400],
      [{ card: { [`${TEST_CARDS[0]}`]: 1.5 } }, 400],
      [{ currency: "USD" }, 403],
      [{ paymentId: "canary-twice" }, 200],
      [{ paymentId: "canary-twice", pan: "5555555555554444" }, 409],
    ];
    for (const [order, status] of refused) {
      expect((await shop.repeat(shop.bodyOf(canary(order)))).status).toBe(status);
    }
    const { card, ...body } = shop.bodyOf(canary()) as { card: object };
    expect((await shop.ask("/api/v1/payment/p2p/payin", { ...body, card })).status).toBe(400);
    const unsigned = await sendRaw({
      url: `${service.url()}/api/v1/payment/ecom/payin`,
      body: JSON.stringify({ card }),
    });
    const broken = await sendRaw({ url: `${service.url()}/3ds/x`, body: JSON.stringify(card) });
    const pan = `"${TEST_CARDS[0]}":1`;
    const doubled = await shop.askRaw("/api/v1/payment/ecom/payin", `{${pan},${pan}}`);
    expect(doubled.json.code).toBe("malformed_json");
    pages.push(unsigned.text, broken.text);
    const payout = await shop.ask("/api/v1/payment/ecom/payout", {
      ...{ general: { project_id: shop.projectId(), payment_id: "canary-payout" } },
      payment: { method: "card-ecom", amount: 100_000, currency: "RUB" },
      receiver: { pan: "5555555555554444", card_holder: HOLDER },
      customer: { id: "customer-1", ip_address: "192.0.2.1" },
    });
    expect(payout.status).toBe(200);
  });

  it("are given to the hosted page, and refused there", async () => {
    for (const pan of [...TEST_CARDS, "4242424242424241"]) {
      const { integration } = shown(
        await shop.ask("/api/v1/widget/payin", {
          general: { project_id: shop.projectId(), payment_id: `canary-page-${pan.slice(-4)}` },
          payment: { amount: 250_000, currency: "RUB" },
          customer: { id: "customer-1" },
        }),
      ) as { readonly integration?: { readonly form_url?: string } };
      const url = integration?.form_url ?? "";
      const card = { pan, cvv: CVV, card_holder: HOLDER, expiry_month: 11, expiry_year: 2041 };
      const send = (body: object) => sendRaw({ url: `${url}/card`, body: JSON.stringify(body) });
      const bodies = [
        { ...card, browser: { language: pan } },
        { ...card, [pan]: CVV },
        { ...card, expiry_year: 2020 },
      ];
      const refused = await Promise.all(bodies.map(send));
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 422]);
      const taken = await send(card);
      expect(taken.status).toBe(TEST_CARDS.includes(pan) ? 200 : 422);
      const page = await openPage(url);
      keep(page);
      const said = [...refused, taken].flatMap(({ text, headers }) => [
        withoutPublishedCards(text),
        JSON.stringify(headers),
      ]);
      pages.push(...said);
    }
  });

  it("survive a row that somebody spoiled: an error, never another's challenge", async () => {
    const [one, other] = [await challenged("4000000000003220"), await challenged("4111111111111111")];
    const exchange = () =>
      db.run({
        text: `update card_payins c set challenge = o.challenge from card_payins o
                where c.request_id = any($1) and o.request_id = any($1) and o.request_id <> c.request_id`,
        values: [[one.request_id, other.request_id]],
      });
    await exchange();
    for (const payment of [one, other]) {
      const answer = await shop.ask("/api/v1/payment/ecom/payin/info", shop.named(payment.payment_id));
      expect([answer.status, answer.json.code]).toEqual([500, "internal_error"]);
      const page = await openPage(payment.integration?.redirect_url ?? "");
      expect(page.status).toBe(500);
      keep(page);
      keep(await postForm(`${payment.integration?.redirect_url}/return`, { cres: "x" }));
    }
    await exchange();
  });

  it("are in no call of the request log that is written by now", async () => {
    const kept = () => readLoggedCalls(db);
    // Headers and body of each; one call named no project.
    const sent = shop.answers().length / 2 - 1;
    await expect.poll(async () => (await kept()).calls, SOON).toBeGreaterThanOrEqual(sent);
    expect((await kept()).packed).toBeGreaterThan(0);
  });

  it("are found nowhere: no table of either side, no log, answer, callback, page or file", async () => {
    const places = await everything();
    for (const where of [
      "public.card_payins",
      "public.request_log",
      "sandbox.charges",
      "log",
      "answer",
      "page",
      "shop",
      "sandbox.json",
    ]) {
      expect(places.filter((place) => place.where === where).length).toBeGreaterThan(0);
    }
    expect(findLeaks(places, SECRETS)).toEqual([]);
  });

  it("are in no table sealed either: every sealed value is opened, and only a payout's receiver is a card", async () => {
    const opened = await openSealedValues(database.url, await serviceKeyring(db, service));
    const columns = new Set(opened.map(({ where }) => where));
    for (const where of ["card_payins.page_token", "card_payins.challenge", "payer_pages.token", "payments.receiver"]) {
      expect(columns).toContain(where);
    }
    expect(opened.filter(({ text }) => text === NOT_OPENED)).toEqual([]);
    // The worker sends a payout after the merchant was answered, so its receiver is stored. It is no payer's card.
    const [receivers, others] = [true, false].map((is) =>
      opened.filter(({ where }) => (where === "payments.receiver") === is),
    );
    expect(receivers).toHaveLength(1);
    expect(findLeaks(receivers ?? [], SECRETS)).not.toEqual([]);
    expect(findLeaks(others ?? [], SECRETS)).toEqual([]);
  });

  it("would be found by this search, wherever they lay", async () => {
    const pan = TEST_CARDS[0] ?? "";
    const base64 = Buffer.from(JSON.stringify({ a: { pan } })).toString("base64");
    const logged = packBytes(Buffer.from(`{"a":"${"x".repeat(9_000)}"}${JSON.stringify({ card: { cvv: CVV } })}`));
    const planted: [string, string][] = [
      ["a column", JSON.stringify({ request_id: "x", note: `paid with ${pan}` })],
      ["bytes", JSON.stringify({ card: `\\x${Buffer.from(JSON.stringify({ pan })).toString("hex")}` })],
      ["bytes in base64", JSON.stringify({ body: base64 })],
      ["a number", JSON.stringify({ request: { card: { pan: Number(pan) } } })],
      ["a code in JSON", JSON.stringify({ request: { card: { cvv: CVV } } })],
      ["a code as a number", JSON.stringify({ cvv: Number(CVV) })],
      [
        "a code in bytes",
        JSON.stringify({ sealed: `\\x${Buffer.from(JSON.stringify({ cvv: CVV })).toString("hex")}` }),
      ],
      ["the request log", JSON.stringify({ bodies: `\\x${logged.toString("hex")}` })],
      ["a code in JSON in JSON", JSON.stringify({ msg: JSON.stringify({ cvv: CVV }) })],
      ["a form", `cvv=${CVV}&x=1`],
      ["a page", `<!doctype html><input name="cvv" value="${CVV}">`],
      ["words on a page", `<!doctype html><dd>${CVV}</dd>`],
      ["a holder", JSON.stringify({ level: "info", holder: HOLDER })],
    ];
    for (const [where, text] of planted)
      expect([where, findLeaks([{ where, text }], SECRETS)]).not.toEqual([where, []]);
    // And in the real tables.
    await db.run({ text: "insert into settings (name, value) values ('planted', $1)", values: [pan] });
    const row = await db.run<{ id: Id }>({ text: "select request_id as id from card_payins limit 1" });
    await db.run({
      text: "update card_payins set challenge = $2 where request_id = $1",
      values: [row[0]?.id, Buffer.from(JSON.stringify({ cvv: CVV }))],
    });
    const found = findLeaks(await dumpDatabase(database.url), SECRETS);
    expect(found.join()).toMatch(/public\.card_payins/);
    expect(found.join()).toMatch(/public\.settings/);
  });
});

describe("a card pay-in", () => {
  it("keeps the mask and the brand of its card, and nothing else of it", async () => {
    const payment = await shop.create(canary());
    const row = await findCardPayin(db, shop.projectId(), payment.request_id as Id);
    expect(row).toMatchObject({ mask: "424242******4242", brand: "visa" });
    const columns = await db.run<{ name: string }>({
      text: "select column_name as name from information_schema.columns where table_name = 'card_payins' order by 1",
    });
    expect(columns.map(({ name }) => name)).toEqual([
      ...[
        "brand",
        "challenge",
        "mask",
        "number",
        "page_opened_at",
        "page_token",
        "page_token_hash",
        "project_id",
        "request_id",
      ],
    ]);
  });

  it("whose challenge has a byte changed, is cut, or is moved to another row or column shows an error, never a wrong one", async () => {
    const keyring = await serviceKeyring(db, service);
    const [one, other] = ["1", "2"].map((digit) => ({
      projectId: shop.projectId(),
      requestId: digit.repeat(32) as Id,
    }));
    if (one === undefined || other === undefined) throw new Error("two rows are needed");
    const step = { kind: "redirect", url: "https://bank.example/1" } as const;
    const sealed = sealStep(keyring, one.requestId, step);
    expect(unsealStep(keyring, one.requestId, sealed)).toEqual(step);
    expect(() => unsealStep(keyring, other.requestId, sealed)).toThrow();
    const row = cardRowOf(keyring, one, "4242424242424242", "token");
    expect(() => unsealStep(keyring, one.requestId, row.pageToken)).toThrow();
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
      expect(() => unsealStep(keyring, one.requestId, changed)).toThrow();
      expect(() => unsealStep(keyring, one.requestId, sealed.subarray(0, at))).toThrow();
    }
  });

  it("may not be given another card or page", async () => {
    for (const column of ["mask", "page_token", "page_token_hash"]) {
      const text = `update card_payins set ${column} = 'x'`;
      await expect(db.run({ text })).rejects.toMatchObject({ code: "23001" });
    }
    await expect(db.run({ text: "delete from card_payins" })).rejects.toMatchObject({ code: "23001" });
  });
});
