import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { takeCallback } from "./callbacks.ts";
import { checkOut } from "./checkout.ts";
import type { Order } from "./order.ts";
import { ITEMS, orderPage, shopPage } from "./pages.ts";
import { refund } from "./refund.ts";
import type { Shop } from "./shop.ts";

/** No request of this shop is longer; callbacks are a few kilobytes. */
const BODY_BYTES_MAX = 64 * 1024;

export function createShopServer(shop: () => Shop): Server {
  return createServer((request, response) => {
    answer(shop(), request, response).catch((error) => {
      console.error(error instanceof Error ? error.message : error);
      if (!response.headersSent) response.writeHead(error instanceof RangeError ? 413 : 500);
      response.end("Something went wrong. Nothing is lost: please try again.\n");
    });
  });
}

async function answer(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const [path = "/"] = (request.url ?? "/").split("?");
  const order = shop.orders.find(path.split("/")[2] ?? "");
  switch (`${request.method} ${path.replace(/^\/orders\/[^/]+/, "/orders/:id")}`) {
    case "GET /":
      return show(response, shopPage(shop.orders.list()));
    case "GET /orders/:id":
      return order === undefined ? response.writeHead(404).end() : showOrder(shop, order, response);
    case "POST /buy":
      return buy(shop, request, response);
    case "POST /orders/:id/refund":
      return order === undefined ? response.writeHead(404).end() : takeRefund(shop, order, request, response);
    case "POST /callbacks":
      return response.writeHead(takeCallback(shop, request.headers, await readBody(request))).end();
    default:
      return response.writeHead(404).end();
  }
}

async function buy(shop: Shop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const item = ITEMS[Number((await readForm(request)).get("item") ?? "none")];
  if (item === undefined) return void response.writeHead(400).end("There is no such item.\n");
  // Behind a proxy, take the address from the header that your proxy sets.
  const customerIp = request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "192.0.2.1";
  const formUrl = await checkOut(shop, { item: item.name, price: item.price, customerIp });
  response.writeHead(303, { location: formUrl }).end();
}

async function takeRefund(shop: Shop, order: Order, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = await readForm(request);
  await refund(shop, order.id, { phone: form.get("phone") ?? "", bank: form.get("bank") ?? "" });
  response.writeHead(303, { location: `/orders/${order.id}` }).end();
}

async function showOrder(shop: Shop, order: Order, response: ServerResponse): Promise<void> {
  const banks = order.refund?.state === "due" ? await shop.tillgate.bank.all() : [];
  const known = banks.filter(({ is_sbp_bank, country_code }) => is_sbp_bank && country_code === "RU");
  show(response, orderPage(order, known));
}

function show(response: ServerResponse, html: string): void {
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "cache-control": "no-store",
  });
  response.end(html);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request)).toString("utf8"));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > BODY_BYTES_MAX) throw new RangeError("a request is too large");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
