// Creates, signed and ready to be written to a socket, each with a payment_id of its own.
import { signRequest } from "../sdk/dist/index.js";
import { httpRequest } from "./load.mjs";

const PATH = "/api/v1/payment/p2p/payin";
/** Of this run's payments, and of no others. */
export const PAYMENT_ID_PREFIX = `order-${Date.now().toString(36)}-`;
let made = 0;

/** The projects take turns. */
export function createRequests({ credentials, projectIds, count, amount = 250_000 }) {
  const timestamp = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, () => {
    made += 1;
    const rawBody = JSON.stringify({
      general: { project_id: projectIds[made % projectIds.length], payment_id: `${PAYMENT_ID_PREFIX}${made}` },
      payment: { method: "card-p2p", amount, currency: "RUB" },
      customer: { id: `customer-${made % 1000}`, ip_address: "203.0.113.7" },
    });
    return httpRequest(PATH, signRequest({ credentials, path: PATH, rawBody, timestamp, scheme: 2 }), rawBody);
  });
}
