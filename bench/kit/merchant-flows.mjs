// What a merchant does for each kind of payment: how it is created, and what follows on which callback.
import { signRequest } from "../../sdk/dist/index.js";
import { httpRequest } from "./http.mjs";

const CUSTOMER = { id: "customer-1", ip_address: "203.0.113.7" };
/** A card that the sandbox approves without asking for the payer. */
const CARD = { pan: "4242424242424242", cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 };

/** `bankMs`: how long the sandbox's bank keeps the money under way, which is no work of the service. */
export const FLOWS = {
  payin: {
    path: "/api/v1/payment/p2p/payin",
    body: { payment: { method: "card-p2p", amount: 250_000, currency: "RUB" }, customer: CUSTOMER },
    confirmPath: "/api/v1/payment/p2p/payin/confirm",
    bankMs: 2_000,
  },
  /** In the sandbox, money for a sum that ends in 02 never arrives. */
  unpaidPayin: {
    path: "/api/v1/payment/p2p/payin",
    body: { payment: { method: "card-p2p", amount: 250_002, currency: "RUB" }, customer: CUSTOMER },
    bankMs: 0,
  },
  payout: {
    path: "/api/v1/payment/p2p/payout",
    body: {
      payment: { method: "card-p2p", amount: 10_000, currency: "RUB" },
      receiver: { pan: "4242424242424242" },
      customer: CUSTOMER,
    },
    bankMs: 2_000,
  },
  card: {
    path: "/api/v1/payment/ecom/payin",
    body: { payment: { method: "card-ecom", amount: 250_000, currency: "RUB" }, card: CARD, customer: CUSTOMER },
    bankMs: 0,
  },
};

export function createRequest(flow, credentials, projectId, paymentId) {
  const general = { project_id: projectId, payment_id: paymentId };
  return callRequest(flow.path, credentials, { general, ...flow.body });
}

export function confirmRequest(flow, credentials, projectId, paymentId) {
  return callRequest(flow.confirmPath, credentials, { general: { project_id: projectId, payment_id: paymentId } });
}

/** Without credentials: a call that nothing is to verify. */
export function callRequest(path, credentials, body) {
  const rawBody = JSON.stringify(body);
  if (credentials === undefined) return httpRequest(path, { "content-type": "application/json" }, rawBody);
  const timestamp = Math.floor(Date.now() / 1000);
  return httpRequest(path, signRequest({ credentials, path, rawBody, timestamp, scheme: 2 }), rawBody);
}
