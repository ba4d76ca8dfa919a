import { type Order, type Receiver, refundPaymentId, withRefundRefused, withRefundSent } from "./order.ts";
import { TillgateError } from "./sdk.ts";
import type { Shop } from "./shop.ts";

/** Sends back what was paid beyond the price, or all of it, to the phone that the customer names. */
export async function refund(shop: Shop, orderId: string, receiver: Receiver): Promise<void> {
  const order = shop.orders.change(orderId, (found) => withRefundSent(found, receiver));
  if (order?.refund?.state === "sent") await sendRefund(shop, order);
}

/**
 * Safe to repeat: the same id and body never pay twice. A refusal changed nothing, so the customer can correct the
 * details. After silence the outcome is unknown: the refund stays "sent", and reconciliation repeats it under the same id.
 */
export async function sendRefund({ tillgate, orders, url }: Shop, order: Order): Promise<void> {
  const { refund: due } = order;
  if (due?.receiver === undefined) return;
  try {
    await tillgate.p2p.payout.create({
      general: { payment_id: refundPaymentId(order), merchant_callback_url: `${url}/callbacks` },
      payment: { method: "sbp-p2p", amount: due.amount, currency: order.currency },
      receiver: due.receiver,
      customer: { id: `customer-of-${order.id}`, ip_address: order.customerIp },
    });
  } catch (error) {
    if (!(error instanceof TillgateError)) throw error;
    if (error.outcomeUnknown) return;
    orders.change(order.id, (found) => withRefundRefused(found, error.message));
  }
}
