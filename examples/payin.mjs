// A pay-in and a payout in the sandbox. Start the service, then: node examples/payin.mjs
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createTillgate, credentialsFromSandboxFile, isFinal } from "../sdk/dist/index.js"; // elsewhere: "@tillgate/sdk"

const file = process.env.TILLGATE_SANDBOX ?? new URL("../.tillgate/sandbox.json", import.meta.url);
const sandbox = JSON.parse(await readFile(file, "utf8"));
const { p2p } = createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) });
const customer = { id: "customer-1", ip_address: "192.0.2.1" };
const terms = { method: "card-p2p", amount: 250000, currency: "RUB" }; // 2,500.00 roubles

const order = `order-${Date.now()}`; // your own id: keep it before you send it
await p2p.payin.create({ general: { payment_id: order }, payment: terms, customer });
const { requisites } = await until(p2p.payin.info, order, (payment) => payment.requisites !== undefined);
console.log(`The payer sends ${requisites.amount} to ${requisites.pan}`);
await p2p.payin.confirm(order); // the payer says that it is done
const paid = await until(p2p.payin.info, order, isFinal);
console.log(`Pay-in: ${paid.status}, and ${paid.payment.net} of it is ours`);

const payout = `payout-${Date.now()}`;
const receiver = { pan: "4242424242424242" };
await p2p.payout.create({ general: { payment_id: payout }, payment: terms, receiver, customer });
console.log(`Payout: ${(await until(p2p.payout.info, payout, isFinal)).status}`);

/** A shop would wait for the callback instead. */
async function until(info, paymentId, isEnough) {
  const payment = await info(paymentId);
  if (isEnough(payment)) return payment;
  await sleep(500);
  return until(info, paymentId, isEnough);
}
