// Creates, signed and ready to be written to a socket, each with a payment_id of its own.
import { signRequest } from "../sdk/dist/index.js";
import { httpRequest } from "./load.mjs";

/** A card that the sandbox approves without asking for the payer. */
const CARD = { pan: "4242424242424242", cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 };
const PRODUCTS = {
  p2p: { path: "/api/v1/payment/p2p/payin", method: "card-p2p", own: {} },
  ecom: { path: "/api/v1/payment/ecom/payin", method: "card-ecom", own: { card: CARD } },
};
/** Of this run's payments, and of no others. */
export const PAYMENT_ID_PREFIX = `order-${Date.now().toString(36)}-`;
let made = 0;

/** The projects take turns. */
export function createRequests({ credentials, projectIds, count, amount = 250_000, product = "p2p" }) {
  const { path, method, own } = PRODUCTS[product];
  const timestamp = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, () => {
    made += 1;
    const rawBody = JSON.stringify({
      general: { project_id: projectIds[made % projectIds.length], payment_id: `${PAYMENT_ID_PREFIX}${made}` },
      payment: { method, amount, currency: "RUB" },
      ...own,
      customer: { id: `customer-${made % 1000}`, ip_address: "203.0.113.7" },
    });
    return httpRequest(path, signRequest({ credentials, path, rawBody, timestamp, scheme: 2 }), rawBody);
  });
}
