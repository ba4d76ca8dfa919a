import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { findPageLanguage, PAGE_LANGUAGES } from "../../app/page/page-language.ts";
import { type DemoShop, openDemoShop, SHOP_PATH } from "../../app/sandbox/demo-shop.ts";
import type { Minor } from "../../core/money.ts";
import { html } from "../../platform/html.ts";
import { sendFault, sendJson } from "../respond.ts";
import { LANGUAGE_NAMES } from "./language-names.ts";
import { SHOP_SCRIPT, SHOP_STYLE } from "./shop-look.ts";

type Deps = Parameters<typeof openDemoShop>[0];

/** What the sandbox does depends on the amount, so the teapot has several prices. */
const PRICES = [
  { amount: 249_000, label: "2,490.00: paid" },
  { amount: 249_001, label: "2,490.01: paid unasked" },
  { amount: 249_003, label: "2,490.03: another sum" },
  { amount: 249_002, label: "2,490.02: never paid" },
  { amount: 249_005, label: "2,490.05: refused" },
] as const;
const CURRENCIES = ["RUB", "KZT", "UZS", "AZN", "KGS", "TJS"] as const;
const NONCE_BYTES = 16;

/** A shop for developers, in development mode only: buy a teapot, see the page, see the callbacks. */
export function addShopRoutes(server: FastifyInstance, deps: Deps): void {
  const shop = openDemoShop(deps);
  server.get(SHOP_PATH, async (_request, reply) => sendShop(reply));
  server.post(`${SHOP_PATH}/buy`, async (request, reply) => {
    const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
    const bought = await buy(shop, form);
    if (!bought.ok) return sendFault(reply, bought.error);
    if (form.get("how") === "redirect") return reply.redirect(bought.value.formUrl, 303);
    return sendJson(reply, 200, JSON.stringify({ form_url: bought.value.formUrl, order: bought.value.orderId }));
  });
  server.post(`${SHOP_PATH}/callback`, async (request, reply) => {
    const header = (name: string) => String(request.headers[name] ?? "");
    const isGenuine = await shop.takeCallback({
      id: header("webhook-id"),
      timestamp: header("webhook-timestamp"),
      signatures: header("webhook-signature"),
      rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
    return sendJson(reply, isGenuine ? 200 : 401, "{}");
  });
  server.get(`${SHOP_PATH}/callbacks`, async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify(shop.listCallbacks())),
  );
}

function buy(shop: DemoShop, form: URLSearchParams): ReturnType<DemoShop["buy"]> {
  const price = PRICES.find(({ amount }) => String(amount) === form.get("amount")) ?? PRICES[0];
  const currency = CURRENCIES.find((code) => code === form.get("currency")) ?? CURRENCIES[0];
  const language = findPageLanguage(form.get("language")) ?? "en";
  return shop.buy({ amount: BigInt(price.amount) as Minor, currency, language });
}

function sendShop(reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Demo shop</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ html: SHOP_STYLE }}</style>
<script nonce="${nonce}" src="../widget.js"></script>
</head>
<body>
<main>
<h1>Demo shop</h1>
<p>A merchant of the sandbox. No money moves here. What happens to a transfer depends on the price.</p>
<form id="order" method="post" action="shop/buy">
<h2>A very good teapot</h2>
<label>Price <select name="amount">${PRICES.map(({ amount, label }) => html`<option value="${amount}">${label}</option>`)}</select></label>
<label>Currency <select name="currency">${CURRENCIES.map((code) => html`<option>${code}</option>`)}</select></label>
<label>Language <select name="language">${PAGE_LANGUAGES.map((code) => html`<option value="${code}">${LANGUAGE_NAMES[code]}</option>`)}</select></label>
<button name="how" value="redirect" class="primary">Buy on the payment page</button>
<button type="button" id="modal">Buy without leaving the shop</button>
</form>
<p id="outcome" role="status"></p>
<h2>Callbacks, as they arrive</h2>
<p id="none">None yet.</p>
<ul id="callbacks"></ul>
</main>
<script nonce="${nonce}">${{ html: SHOP_SCRIPT }}</script>
</body>
</html>
`;
  // A form's policy holds against redirects too, and the page that follows is our own.
  const policy =
    `default-src 'none'; script-src 'self' 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; ` +
    "img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .send(text.html);
}
