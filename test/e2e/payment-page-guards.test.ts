import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Service } from "../../src/service.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Made, usePayShop } from "../browser/pay-shop.ts";
import { runCommand } from "../browser/run-command.ts";

/** What stands around the payment page: throttles, headers of production, logs, other processes, callbacks. */
const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);

const CARD = { pan: "4000000000003220", cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 };
/** More than any bucket holds, sent faster than it fills. */
const FLOOD = 200;

const SOON = { timeout: 60_000, interval: 50 };

/** A second process, in production mode, behind a proxy that says whose request it is. */
let production: Service;
let receiver: CallbackReceiver;
beforeAll(async () => {
  production = await service.startSibling({ TILLGATE_TRUSTED_PROXIES: "127.0.0.1" }, "api");
  receiver = await openCallbackReceiver();
});
afterAll(() => receiver.close());

function inProduction({ url }: Pick<Made, "url">): string {
  return url.replace(service.url(), production.localUrl);
}

function post({ url }: Pick<Made, "url">, deed: string, body: object = {}): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${url}/${deed}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function openEvents(url: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(`${url}/events`), "response")) as [IncomingMessage];
  return answer.setEncoding("utf8");
}

async function flood(url: string, address: string): Promise<Response[]> {
  const headers = { "x-forwarded-for": address };
  return Promise.all(Array.from({ length: FLOOD }, () => fetch(url, { headers })));
}

/** On a busy machine a flood can be slower than what it may ask: then another follows. */
async function floodUntilRefused(url: string, address: string): Promise<Response[]> {
  return vi.waitFor(async () => {
    const answers = await flood(url, address);
    expect(answers.map(({ status }) => status)).toContain(429);
    return answers;
  }, SOON);
}

describe("in production", () => {
  it("the page asks for TLS for a year, and may be framed by those alone whom the project names", async () => {
    const url = inProduction(await shop.create());
    const headersOf = async (address: string) => (await fetch(address)).headers;
    const first = await headersOf(url);
    expect(first.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
    expect(first.get("content-security-policy")).toContain("frame-ancestors 'none'");
    await runCommand(database, "project", "set", shop.projectId(), "--widget-origin", "https://shop.example");
    await vi.waitFor(async () => {
      const policy = (await headersOf(url)).get("content-security-policy");
      expect(policy).toContain("frame-ancestors https://shop.example");
    }, SOON);
    const missing = await headersOf(`${production.localUrl}/pay/unknown`);
    expect(missing.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await headersOf(service.url())).get("strict-transport-security")).toBeNull();
  });

  it("one payment's page is asked for so often only, and others' are not held up", async () => {
    const [busy, calm] = [await shop.create(), await shop.create()];
    const answers = await floodUntilRefused(`${inProduction(busy)}/state`, "198.51.100.1");
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(FLOOD);
    expect(refused.every(({ headers }) => Number(headers.get("retry-after")) >= 1)).toBe(true);
    // From wherever: it is the token that has had enough.
    await floodUntilRefused(`${inProduction(busy)}/state`, "198.51.100.2");
    expect((await fetch(`${inProduction(calm)}/state`)).status).toBe(200);
  });

  it("an address that guesses tokens is soon refused, and no other address is", async () => {
    const made = await shop.create();
    const guess = (address: string) => flood(`${production.localUrl}/pay/${"0".repeat(40)}`, address);
    expect(new Set((await guess("198.51.100.3")).map(({ status }) => status))).toEqual(new Set([404, 429]));
    let tries = 0;
    // A second of silence is enough to be listened to again, so it must not pass in between; each try is a stranger's.
    const refused = await vi.waitFor(async () => {
      tries += 1;
      const address = `203.0.113.${tries}`;
      await guess(address);
      const answer = await fetch(inProduction(made), { headers: { "x-forwarded-for": address } });
      expect(answer.status).toBe(429);
      return answer;
    }, SOON);
    expect(await refused.text()).toContain("Too many tries");
    const other = await fetch(inProduction(made), { headers: { "x-forwarded-for": "198.51.100.4" } });
    expect(other.status).toBe(200);
  });

  it("a payer who has the page open is not locked out by guesses from the same network", async () => {
    const made = await shop.create();
    const headers = { "x-forwarded-for": "198.51.100.5" };
    expect((await fetch(inProduction(made), { headers })).status).toBe(200);
    await flood(`${production.localUrl}/pay/${"0".repeat(40)}`, "198.51.100.5");
    expect((await fetch(inProduction(made), { headers })).status).toBe(200);
  });

  it("whoever guesses the way to a bank is soon not listened to, in the browser's language", async () => {
    const guesses = `${production.localUrl}/3ds/${"a".repeat(40)}`;
    const answers = await floodUntilRefused(guesses, "198.51.100.40");
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
    let tries = 0;
    const refused = await vi.waitFor(async () => {
      tries += 1;
      const address = `192.0.2.${tries}`;
      await flood(guesses, address);
      const headers = { "x-forwarded-for": address, "accept-language": "ru,en;q=0.5" };
      const answer = await fetch(`${production.localUrl}/3ds/${"b".repeat(40)}`, { headers });
      expect(answer.status).toBe(429);
      return answer;
    }, SOON);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const page = await refused.text();
    expect(page).toContain('<html lang="ru">');
    expect(page).toContain("Слишком много запросов");
  });

  it("a page hears of what another process did", async () => {
    const made = await shop.create();
    const events = await openEvents(inProduction(made));
    await once(events, "data");
    const next = once(events, "data");
    await post(made, "cancel");
    expect(await next).toEqual(["data: changed\n\n"]);
    events.destroy();
  });
});

it("one payment has so many open lines only; those beyond are told to ask instead", async () => {
  const made = await shop.create();
  const answers: IncomingMessage[] = [];
  for (let at = 0; at < 17; at += 1) answers.push(await openEvents(made.url));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([...Array.from({ length: 16 }, () => 200), 429]);
  for (const answer of answers) answer.destroy();
  // Lines that were closed make room.
  await vi.waitFor(async () => {
    const again = await openEvents(made.url);
    again.destroy();
    expect(again.statusCode).toBe(200);
  }, SOON);
});

it("asking for the head of the events opens no line", async () => {
  const made = await shop.create();
  for (let at = 0; at < 17; at += 1) {
    const answer = await fetch(`${made.url}/events`, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  }
  const events = await openEvents(made.url);
  expect(events.statusCode).toBe(200);
  events.destroy();
});

it("a page that cannot be shown, because the database is away, is still a page, and says what to do", async () => {
  const made = await shop.create();
  await database.db.transaction(async (tx) => {
    await tx.run({ text: "lock table payer_pages in access exclusive mode" });
    const answer = await fetch(made.url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await answer.text()).toContain("do not send it again");
  });
  expect((await fetch(made.url)).status).toBe(200);
});

it("neither logs nor metrics hold a token, whatever was asked for with it", async () => {
  const made = await shop.create();
  const token = made.url.slice(-40);
  const paths = ["", "/", "/state", "/logo", "/nothing", `/${token}`, `?lang=ru&${token}`, "%zz", "/state?a=%00"];
  for (const path of paths) await (await fetch(made.url + path)).text();
  await (await post(made, "choose", { method: "nothing" })).text();
  await (await fetch(made.url, { method: "PUT", body: "x" })).text();
  const metrics = await (await fetch(`${service.url()}/metrics`)).text();
  expect(metrics).toContain("/pay/:token");
  const logged = service.logLines().join("");
  expect(logged).toContain('"route":"/pay/:token/state"');
  expect(metrics + logged).not.toContain(token);
});

describe("a merchant", () => {
  const heardOf = ({ paymentId }: Made) =>
    receiver.received.filter(({ body }) => body.general.payment_id === paymentId).map(({ body }) => body);

  it("finds the page's address in every callback and every answer", async () => {
    const made = await shop.create({ general: { merchant_callback_url: receiver.url } });
    await post(made, "choose", { method: "payin-p2p-card" });
    await shop.untilState(made, "processing:awaiting_confirm");
    const integration = { form_url: made.url };
    expect(await shop.tell("info", made.paymentId)).toMatchObject({ status: 200, json: { integration } });
    expect(await shop.tell("confirm", made.paymentId)).toMatchObject({ status: 200, json: { integration } });
    await shop.untilState(made, "success");
    await vi.waitFor(() => expect(heardOf(made).at(-1)?.status.status).toBe("success"), SOON);
    expect(heardOf(made).map(({ status }) => status.sub_status)).toEqual([
      "requisites",
      "awaiting_confirm",
      "paid",
      null,
    ]);
    for (const body of heardOf(made)) expect(body).toMatchObject({ integration });
    const cancelled = await shop.create();
    expect(await shop.tell("cancel", cancelled.paymentId)).toMatchObject({
      json: { integration: { form_url: cancelled.url } },
    });
  });

  it("whose payer reads Russian has the way to the bank in Russian", async () => {
    const made = await shop.create({ customer: { id: "c1", language: "ru" } });
    await post(made, "card", CARD);
    await shop.untilState(made, "processing:awaiting_3ds_result");
    const view = (await (await fetch(`${made.url}/state`)).json()) as { challenge_url: string };
    const page = await (await fetch(view.challenge_url)).text();
    expect(page).toContain('<html lang="ru">');
    expect(page).toContain("Перейти к банку");
  });

  it("whose payer is at the issuer is told of the page too, which leads there by itself", async () => {
    const made = await shop.create({ general: { merchant_callback_url: receiver.url } });
    await post(made, "card", CARD);
    await shop.untilState(made, "processing:awaiting_3ds_result");
    await vi.waitFor(() => expect(heardOf(made)).toHaveLength(1), SOON);
    expect(heardOf(made)[0]).toMatchObject({ status: { sub_status: "awaiting_3ds_result" } });
    expect(heardOf(made)[0]).toHaveProperty("integration", { form_url: made.url });
    const { json } = await shop.tell("info", made.paymentId);
    expect(json.integration).toEqual({ form_url: made.url });
  });

  it("gets the payer back to the project's own address where the request names none", async () => {
    await runCommand(database, "project", "set", shop.projectId(), "--redirect-url", "https://shop.example/thanks");
    await service.settled();
    const made = await shop.create({ general: { redirect_url: undefined } });
    const view = (await (await fetch(`${made.url}/state`)).json()) as { back_url?: string };
    expect(view.back_url).toBe(`https://shop.example/thanks?payment_id=${made.paymentId}`);
  });
});
