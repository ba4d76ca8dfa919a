// A shop that charges a card of the sandbox. Start the service, then: node examples/card.mjs [CARD]
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createTillgate, credentialsFromSandboxFile, isFinal } from "../sdk/dist/index.js"; // elsewhere: "@tillgate/sdk"

const file = process.env.TILLGATE_SANDBOX ?? new URL("../.tillgate/sandbox.json", import.meta.url);
const sandbox = JSON.parse(await readFile(file, "utf8"));
const { ecom } = createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) });

// Payers return here. Their return does not prove a payment: anyone can open this address.
const shop = createServer((request, response) => {
  response.end("Thank you. The shop will tell you whether the payment was made.\n");
  shop.emit("return", new URL(request.url, "http://shop").searchParams.get("payment_id"));
}).listen(0, "127.0.0.1");
await once(shop, "listening");

const order = `card-${Date.now()}`; // your own id: keep it before you send it
const pan = process.argv[2] ?? "4000000000003220"; // in the sandbox, the card decides what happens
await ecom.payin.create({
  general: { payment_id: order, redirect_url: `http://127.0.0.1:${shop.address().port}/return` },
  payment: { method: "card-ecom", amount: 250000, currency: "RUB" }, // 2,500.00 roubles
  card: { pan, cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 },
  customer: { id: "customer-1", ip_address: "192.0.2.1" },
});

const { integration } = await until(({ sub_status }) => sub_status !== "new");
if (integration !== undefined) {
  console.log(`Open ${integration.redirect_url} in a browser; the code is 1234`);
  const [returned] = await once(shop, "return");
  console.log(`The payer of ${returned} is back`);
}
const { status, decline_code, card, payment } = await until(isFinal);
console.log(`${card.brand} ${card.pan}: ${status === "success" ? `${payment.net} of it is ours` : decline_code}`);
shop.close();
shop.closeAllConnections();

/** A shop would wait for the callback as well. */
async function until(isEnough) {
  const found = await ecom.payin.info(order);
  if (isEnough(found)) return found;
  await sleep(500);
  return until(isEnough);
}
