// A shop that sends payers to the hosted page. Start the service, then: node examples/widget.mjs
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createTillgate, credentialsFromSandboxFile, isFinal, verifyStandardWebhook } from "../sdk/dist/index.js"; // elsewhere: "@tillgate/sdk"

const file = process.env.TILLGATE_SANDBOX ?? new URL("../.tillgate/sandbox.json", import.meta.url);
const sandbox = JSON.parse(await readFile(file, "utf8"));
const { widget } = createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) });
const shopUrl = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const orders = new Map(); // yours are in a database

/** Answers where the payer pays. */
async function buy() {
  const order = `teapot-${Date.now()}`; // your own id: keep it before you send it
  orders.set(order, "not paid yet");
  const { payment } = await widget.payin.create({
    general: { payment_id: order, redirect_url: `${shopUrl}/thanks`, merchant_callback_url: `${shopUrl}/callbacks` },
    payment: { amount: 250000, currency: "RUB", description: "A very good teapot" }, // 2,500.00 roubles
    customer: { id: "customer-1", language: "en" },
  });
  return payment.integration.form_url;
}

/** The only word that counts: signed, and from server to server. */
async function hear(request, response) {
  const rawBody = Buffer.concat(await request.toArray());
  const { general, status } = verifyStandardWebhook({
    headers: request.headers,
    rawBody,
    secret: sandbox.webhook_secret,
  });
  if (isFinal(status)) {
    orders.set(general.payment_id, status.status);
    console.log(`${general.payment_id}: ${status.status}`);
  }
  response.writeHead(204).end();
}

const PAGE = `<!doctype html>
<html lang="en">
<title>Teapots</title>
<h1>A very good teapot</h1>
<form method="post" action="/buy"><button>Pay on the payment page</button></form>
<button id="here">Pay here</button>
<p id="said" role="status"></p>
<script src="${sandbox.base_url}/widget.js"></script>
<script>
  const say = (text) => { document.getElementById("said").textContent = text; };
  document.getElementById("here").addEventListener("click", async () => {
    const { form_url } = await (await fetch("/buy.json", { method: "POST" })).json();
    Tillgate.open(form_url, {
      onSuccess: ({ payment_id }) => say("Thank you for " + payment_id),
      onDecline: ({ payment_id }) => say(payment_id + " was not paid"),
      onClose: () => document.getElementById("here").focus(),
    });
  });
</script>
</html>`;

const routes = {
  "/buy": async (_request, response) => response.writeHead(303, { location: await buy() }).end(),
  "/buy.json": async (_request, response) => response.end(JSON.stringify({ form_url: await buy() })),
  "/callbacks": hear,
  // Payers return here. Their return does not prove a payment: anyone can open this address.
  "/thanks": async (request, response) => {
    const order = new URL(request.url, shopUrl).searchParams.get("payment_id");
    response.end(`Your order is ${orders.get(order) ?? "unknown"}.\n`);
  },
  "/": async (_request, response) => response.setHeader("content-type", "text/html; charset=utf-8").end(PAGE),
};

createServer((request, response) => {
  const route = routes[new URL(request.url, shopUrl).pathname];
  if (route === undefined) return response.writeHead(404).end();
  return route(request, response).catch(() => response.writeHead(500).end());
}).listen(new URL(shopUrl).port, "127.0.0.1", () => console.log(`The shop is open at ${shopUrl}`));
