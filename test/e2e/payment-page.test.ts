import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { oldPayments } from "../../src/testing/builders/old-payments.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Made, usePayShop } from "../browser/pay-shop.ts";

/** The server's side of the payment page, without a browser. */
const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);

function post({ url }: Made, deed: string, body: unknown = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/${deed}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function stepOf({ url }: Made): Promise<unknown> {
  const view = (await (await fetch(`${url}/state`)).json()) as { step: unknown };
  return view.step;
}

async function openEvents({ url }: Made): Promise<IncomingMessage> {
  const [answer] = (await once(get(`${url}/events`), "response")) as [IncomingMessage];
  return answer.setEncoding("utf8");
}

const CARD = { pan: "4242424242424242", cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 };

it("is sent under a policy that loads and frames nothing foreign", async () => {
  const { url } = await shop.create();
  const answer = await fetch(url);
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'self'"])
    expect(policy).toContain(part);
  expect(policy).not.toContain("unsafe");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const text = await answer.text();
  expect([...text.matchAll(/<(?:script|style)\b[^>]*>/g)].every(([tag]) => tag.includes(`nonce="${nonce}"`))).toBe(
    true,
  );
  expect(await (await fetch(url)).text()).not.toContain(`nonce="${nonce}"`);
});

it("tells open pages of every change, and of nothing else's", async () => {
  const [watched, other] = [await shop.create(), await shop.create()];
  const events = await openEvents(watched);
  expect(events.headers["content-type"]).toContain("text/event-stream");
  await once(events, "data");
  await post(other, "cancel");
  const next = once(events, "data");
  await post(watched, "cancel");
  expect(await next).toEqual(["data: changed\n\n"]);
  expect(await stepOf(watched)).toBe("decline");
  events.destroy();
});

it("lets go of its events when the process stops", async () => {
  const made = await shop.create();
  const sibling = await service.startSibling({}, "api");
  const events = await openEvents({ ...made, url: made.url.replace(service.url(), sibling.localUrl) });
  await once(events, "data");
  const ended = once(events.resume(), "end");
  await sibling.stop();
  await ended;
});

it.each([
  ["choose", {}],
  ["choose", { method: "payin-p2p-card", bank: 1 }],
  ["choose", { method: "payin-p2p-card", extra: true }],
  ["choose", null],
  ["card", { ...CARD, pan: "4242 4242 4242 4242" }],
  ["card", { ...CARD, cvv: 987 }],
  ["card", { ...CARD, card_holder: "\u0000\u0000" }],
  ["card", {}],
  ["card", { ...CARD, browser: null }],
  ["card", { ...CARD, browser: [] }],
  ["card", { ...CARD, browser: { color_depth: 0 } }],
  ["card", { ...CARD, browser: { screen_width: "1920" } }],
  ["card", { ...CARD, browser: { screen_height: 1080.5 } }],
  ["card", { ...CARD, browser: { timezone_offset: 841 } }],
  ["card", { ...CARD, browser: { language: "ru\r\nx: 1" } }],
  ["card", { ...CARD, browser: { language: "ru".repeat(20) } }],
  ["card", { ...CARD, browser: { java_enabled: 0 } }],
  // What the request itself says is not for the page to say.
  ["card", { ...CARD, browser: { user_agent: "another" } }],
])("refuses %s with %j, without repeating it", async (deed, body) => {
  const made = await shop.create();
  const answer = await post(made, deed, body);
  expect(answer.status).toBe(400);
  expect(await answer.text()).not.toContain("4242");
  expect(await stepOf(made)).toBe("choose");
});

it.each([
  ["a method that there is not", "choose", { method: "payin-p2p-gold" }, 403],
  ["a card as if it were a transfer", "choose", { method: "payin-ecom-card" }, 403],
  ["a method of another currency", "choose", { method: "payin-qr-link-p2p" }, 403],
  ["no bank where one is needed", "choose", { method: "payin-p2p-sbp" }, 422],
  ["a bank outside the fast payments system", "choose", { method: "payin-p2p-sbp", bank: "kaspi-bank" }, 422],
  ["a card that has expired", "card", { ...CARD, expiry_year: 2020 }, 422],
  ["a confirm before there is anything to confirm", "confirm", {}, 409],
])("refuses %s", async (_name, deed, body, status) => {
  const made = await shop.create();
  expect((await post(made, deed, body)).status).toBe(status);
  expect(await stepOf(made)).toBe("choose");
});

it("a transfer and a card, chosen at the same moment, end as one of them, and the answers say which", async () => {
  await oldPayments(database.db);
  for (let tries = 0; tries < 20; tries += 1) {
    const made = await shop.create();
    const answers = await Promise.all([post(made, "choose", { method: "payin-p2p-card" }), post(made, "card", CARD)]);
    const [p2p, card] = answers.map(({ status }) => status);
    const { method } = (await (await fetch(`${made.url}/state`)).json()) as { method: unknown };
    expect([200, 409]).toContain(p2p);
    expect([card, method]).toEqual(card === 200 ? [200, "card-ecom"] : [409, "card-p2p"]);
    expect((await post(made, "card", CARD)).status).toBe(409);
  }
});

it("tells the acquirer what the page knows of its browser, and what the request itself says", async () => {
  const facts = {
    language: "kk-Cyrl-KZ",
    color_depth: 30,
    screen_width: 1920,
    screen_height: 1080,
    timezone_offset: -345,
    java_enabled: false,
  };
  const headers = { "content-type": "application/json", "user-agent": "Teapot/1.0", accept: "application/json" };
  const sent = async (body: object) => {
    const made = await shop.create();
    const answer = await fetch(`${made.url}/card`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBe(200);
    await shop.untilState(made, "success");
    return shop.toldBrowser(made);
  };
  const said = { user_agent: "Teapot/1.0", accept_header: "application/json" };
  expect(await sent({ ...CARD, browser: facts })).toEqual({ ...facts, ...said });
  expect(await sent(CARD)).toEqual(said);
});

it.each([
  ["the customer's own", { language: "ru", country: "NG" }, "kk", "ru"],
  ["the browser's where the customer's is not said", { country: "RU" }, "de, kk;q=0.7, ru;q=0.3", "kk"],
  ["the browser's where the customer's is not one of ours", { language: "de" }, "es-MX", "es"],
  ["that of the customer's country where the browser's is not one of ours", { country: "KZ" }, "de", "kk"],
  ["that of the customer's country to one it cannot speak to", { language: "de", country: "RU" }, "", "ru"],
  ["English where the country reads another", { country: "NG" }, "*", "en"],
  ["English where nothing is known", {}, "", "en"],
])("speaks %s", async (_name, customer, accepted, language) => {
  const { url } = await shop.create({ customer });
  const headers = { "accept-language": accepted };
  expect(await (await fetch(url, { headers })).text()).toContain(`<html lang="${language}">`);
  expect(await (await fetch(`${url}/state`, { headers })).json()).toMatchObject({ language });
  expect(await (await fetch(`${url}?lang=tg`, { headers })).text()).toContain('<html lang="tg">');
  expect(await (await fetch(`${url}?lang=de&lang=tg`, { headers })).text()).toContain(`<html lang="${language}">`);
});

it("of many cards at once takes one", async () => {
  const made = await shop.create();
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(made, "card", CARD)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  await shop.untilState(made, "success");
});

it("takes no card once requisites were asked for, and no transfer once a card was sent", async () => {
  const [p2p, card] = [await shop.create(), await shop.create()];
  await post(p2p, "choose", { method: "payin-p2p-card" });
  await shop.untilState(p2p, "processing:awaiting_confirm");
  expect((await post(p2p, "card", CARD)).status).toBe(409);
  await post(card, "card", CARD);
  expect((await post(card, "choose", { method: "payin-p2p-card" })).status).toBe(409);
  await shop.untilState(card, "success");
});

it("takes a card, answers nothing of it, and charges it once", async () => {
  const made = await shop.create();
  const answer = await post(made, "card", CARD);
  expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining("4242")]);
  await shop.untilState(made, "success");
  expect((await post(made, "card", CARD)).status).toBe(409);
  expect(service.logLines().join()).not.toContain(made.url.slice(-40));
});
