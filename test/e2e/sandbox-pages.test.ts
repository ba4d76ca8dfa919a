import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../../sdk/test/local-server.ts";
import { openSandboxPages } from "../../src/connectors/sandbox/pages.ts";
import { openPage, postForm, readForm, submitForm } from "../../src/sandbox/test-browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { shown, useCardShop } from "./card-shop.ts";

/**
 * A payer's phone knows one address: the one that TILLGATE_PUBLIC_URL names. Here it is a front server on a port of its
 * own; nothing that the payer is given may name any other.
 */
const requested: string[] = [];
const front = createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`);
  const { method = "GET", url = "/", headers } = request;
  const onward = forward(`${listening()}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
});
const frontUrl = () => `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve)));
afterAll(
  () =>
    new Promise<void>((resolve) => {
      front.close(() => resolve());
      front.closeAllConnections();
    }),
);

const database = useTestDatabase();
const service = useTestService(database, {
  get TILLGATE_PUBLIC_URL() {
    return frontUrl();
  },
});
const shop = useCardShop(database, service);

function listening(): string {
  const ready = service.logLines().find((line) => line.includes('"ready"'));
  return JSON.parse(ready ?? "{}").listening;
}

const CARDS = { "2.2.0": "4000000000003220", "1.0.2": "4111111111111111" } as const;
const AT_ISSUER = "processing:awaiting_3ds_result";

describe("with the public URL alone", () => {
  it.each(Object.entries(CARDS))("a payer passes 3-D Secure %s", async (version, pan) => {
    const payment = await shop.until(await shop.create({ pan }), AT_ISSUER);
    expect(payment.integration?.three_ds).toMatchObject({
      version,
      acs_url: `${frontUrl()}/sandbox/acs/${version === "2.2.0" ? "challenge" : "pareq"}`,
    });
    const atIssuer = await submitForm(await openPage(payment.integration?.redirect_url ?? ""), {});
    expect(atIssuer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(atIssuer.headers.get("cache-control")).toBe("no-store");
    const again = await submitForm(atIssuer, { code: "0000" });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining("That code is wrong.")]);
    const confirmed = await submitForm(again, { code: "1234" });
    expect(readForm(confirmed).action.startsWith(`${frontUrl()}/3ds/`)).toBe(true);
    await submitForm(confirmed, {});
    await shop.until(payment, "success");
    expect(requested).toContain(`POST /sandbox/acs/${version === "2.2.0" ? "challenge" : "pareq"}`);
  });

  it("a payer pays at the bank's own page, and is sent back", async () => {
    await shop.wish("plain_redirect");
    const payment = await shop.until(await shop.create(), "processing:awaiting_redirect_result");
    const sent = await openPage(payment.integration?.redirect_url ?? "");
    const bankUrl = sent.headers.get("location") ?? "";
    expect(bankUrl.startsWith(`${frontUrl()}/sandbox/checkout/`)).toBe(true);
    const paid = await submitForm(await openPage(bankUrl), {}, "Pay");
    expect([paid.status, paid.headers.get("location")]).toEqual([
      303,
      expect.stringContaining(`${frontUrl()}/3ds/`) as unknown,
    ]);
    await openPage(paid.headers.get("location") ?? "");
    await shop.until(payment, "success");
  });
});

describe("of the sandbox nothing but its pages is reachable", () => {
  it.each(["/sandbox/health", "/sandbox/books", "/sandbox/acs", "/sandbox/acs/challenge/x", "/sandbox/acs/..%2fbooks"])(
    "%s is not there",
    async (path) => expect((await openPage(frontUrl() + path)).status).toBe(404),
  );

  it.each(["..%2f..%2fbooks", "a%3Fb", "%00", "a!b"])("no token leads elsewhere: %s", async (token) => {
    const page = await openPage(`${frontUrl()}/sandbox/checkout/${token}`);
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  it("a made-up request and a body that is too long get a clear answer", async () => {
    expect((await postForm(`${frontUrl()}/sandbox/acs/challenge`, { creq: "made-up" })).status).toBe(400);
    expect((await postForm(`${frontUrl()}/sandbox/acs/method`, {})).status).toBe(400);
    const long = await postForm(`${frontUrl()}/sandbox/acs/challenge`, { creq: "x".repeat(70_000) });
    expect(long.status).toBe(413);
  });

  it("an address that asks far too often is told to wait", async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 20 && !statuses.includes(429); round += 1) {
      const pages = await Promise.all(
        Array.from({ length: 50 }, () => openPage(`${listening()}/sandbox/checkout/made-up`)),
      );
      statuses.push(...pages.map(({ status }) => status));
    }
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });
});

describe("in a cluster", () => {
  it("a process that takes merchants' calls shows the pages of the sandbox that a worker runs", async () => {
    const api = await service.startSibling({}, "api");
    const page = await postForm(`${api.localUrl}/sandbox/acs/challenge`, { creq: "made-up" });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining("Nothing to confirm")]);
  });

  it("in production the issuer is named by the public URL", async () => {
    const production = await service.startSibling();
    // In production a shop on this machine may not be named.
    const general = { merchant_callback_url: undefined, redirect_url: undefined };
    const body = shop.bodyOf({ pan: CARDS["2.2.0"], general });
    const created = shown(await shop.ask("/api/v1/payment/ecom/payin", body, production.localUrl));
    const payment = await shop.until(created, AT_ISSUER);
    expect(payment.integration?.three_ds?.acs_url).toBe("https://pay.example.com/sandbox/acs/challenge");
    const { creq = "" } = payment.integration?.three_ds ?? {};
    const page = await postForm(`${production.localUrl}/sandbox/acs/challenge`, { creq });
    expect(readForm(page).visible).toEqual(["code"]);
  });
});

describe("what is passed on", () => {
  it("is the form and the language alone to the sandbox, and to the browser nothing but the page", async () => {
    await using foreign = await startServer((response) =>
      response
        .writeHead(200, {
          "content-type": "text/html",
          "set-cookie": "a=b",
          "x-secret": "c",
          "referrer-policy": "no-referrer",
        })
        .end("<p>"),
    );
    const pages = openSandboxPages({ baseUrl: foreign.url, timeoutMs: 10_000 });
    const page = await pages.fetchPage({
      method: "POST",
      path: "/acs/challenge",
      form: Buffer.from("creq=x"),
      language: "kk",
    });
    await pages.close();
    expect(page?.headers).toEqual({ "content-type": "text/html", "referrer-policy": "no-referrer" });
    const [received] = foreign.received;
    expect(received?.rawBody.toString()).toBe("creq=x");
    expect(received?.headers["accept-language"]).toBe("kk");
    expect(Object.keys(received?.headers ?? {}).sort()).toEqual([
      "accept-language",
      "connection",
      "content-length",
      "content-type",
      "host",
    ]);
  });

  it("is undefined while the sandbox does not answer", async () => {
    const pages = openSandboxPages({ baseUrl: "http://127.0.0.1:9", timeoutMs: 1_000 });
    expect(
      await pages.fetchPage({ method: "GET", path: "/acs/challenge", form: undefined, language: "en" }),
    ).toBeUndefined();
    await pages.close();
  });
});
