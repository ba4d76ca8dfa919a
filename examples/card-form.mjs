// A shop that sends the payer to the bank with a form of its own. Start the service, then: node examples/card-form.mjs
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createTillgate, credentialsFromSandboxFile, issuerForm, threeDsResult } from "../sdk/dist/index.js";

const file = process.env.TILLGATE_SANDBOX ?? new URL("../.tillgate/sandbox.json", import.meta.url);
const sandbox = JSON.parse(await readFile(file, "utf8"));
const { ecom } = createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) });
const order = `card-form-${Date.now()}`;

const shop = createServer(async (request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (request.method === "GET") return response.end(await payPage());
  const result = threeDsResult(new URLSearchParams(await text(request))); // cres, or PaRes and MD
  // Anyone can post here, so a result may be refused, and only the service knows the payment's status.
  if (result !== undefined) await ecom.payin.confirmThreeDs(order, result).catch(console.error);
  const { status } = await ecom.payin.info(order);
  response.end(`<p>The payment: ${status}</p>`);
  shop.emit("answered", status);
}).listen(0, "127.0.0.1");
await once(shop, "listening");
const address = `http://127.0.0.1:${shop.address().port}`;

await ecom.payin.create({
  general: { payment_id: order, redirect_url: `${address}/return` },
  payment: { method: "card-ecom", amount: 250000, currency: "RUB" },
  card: { pan: "4111111111111111", cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 },
  customer: { id: "customer-1", ip_address: "192.0.2.1" },
});
console.log(`Open ${address}/pay in a browser; the code is 1234`);
const [status] = await once(shop, "answered");
console.log(`The payment: ${status}`);
shop.close();
shop.closeAllConnections();

/** A page with one button, which posts the issuer's form. */
async function payPage() {
  const { sub_status, integration } = await ecom.payin.info(order);
  if (sub_status === "new") return sleep(500).then(payPage);
  if (integration?.three_ds === undefined) return "<p>Nothing is left to do here.</p>";
  const { action, fields } = issuerForm(integration.three_ds);
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  );
  return `<form method="post" action="${escaped(action)}">${inputs.join("")}<button>To your bank</button></form>`;
}

function escaped(words) {
  return words.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
