import type { IncomingHttpHeaders } from "node:http";
import { type Order, refundPaymentId, withPayin, withPayout } from "./order.ts";
import { type TillgateCallback, TillgateSignatureError, verifyStandardWebhook } from "./sdk.ts";
import type { Shop } from "./shop.ts";

/**
 * Answers with an HTTP status: 204 when the event is on disk, 400 when the signature does not fit. Tillgate sends the
 * callback again until it gets a 2xx, so nothing is lost if the shop stops here.
 */
export function takeCallback(shop: Shop, headers: IncomingHttpHeaders, rawBody: Buffer): 204 | 400 {
  try {
    const callback = verifyStandardWebhook({ headers, rawBody, secret: shop.webhookSecret });
    const order = findOrder(shop, callback);
    // An unknown payment, or a test callback: accepted, and it changes nothing.
    if (order !== undefined) shop.orders.change(order.id, (found) => withCallback(found, callback));
    return 204;
  } catch (error) {
    if (error instanceof TillgateSignatureError) return 400;
    throw error;
  }
}

function findOrder({ orders }: Shop, { general, payment_info }: TillgateCallback): Order | undefined {
  if (payment_info.type === "payin") return orders.find(general.payment_id);
  return orders.list().find((order) => order.refund !== undefined && refundPaymentId(order) === general.payment_id);
}

function withCallback(order: Order, { event, general, status, payment_info }: TillgateCallback): Order {
  if (order.eventIds.includes(event.id)) return order;
  const noted = { ...order, eventIds: [...order.eventIds, event.id] };
  if (event.sequence <= (order.sequences[general.request_id] ?? 1)) return noted;
  const current = { ...noted, sequences: { ...order.sequences, [general.request_id]: event.sequence } };
  const news = { status: status.status, amount: payment_info.amount };
  return payment_info.type === "payin" ? withPayin(current, news) : withPayout(current, news);
}
