import { requestPayment } from "./checkout.ts";
import { isOpen, type Order, type PaymentNews, refundPaymentId, withPayin, withPayout } from "./order.ts";
import { sendRefund } from "./refund.ts";
import { type Payment, TillgateApiError } from "./sdk.ts";
import type { Shop } from "./shop.ts";

/**
 * Compares every open order with Tillgate. Callbacks are the fast way; this one finds what a lost callback, a crash or a
 * request that never arrived has left behind. Returns how many orders changed.
 */
export async function reconcile(shop: Shop): Promise<number> {
  let changed = 0;
  for (const order of shop.orders.list().filter(isOpen)) {
    // One order that cannot be asked about does not keep the others waiting.
    await reconcileOrder(shop, order).catch((error: Error) => console.error(`${order.id}: ${error.message}`));
    const { state, refund } = shop.orders.find(order.id) ?? order;
    if (state !== order.state || refund?.state !== order.refund?.state) changed += 1;
  }
  return changed;
}

function reconcileOrder(shop: Shop, order: Order): Promise<void> {
  return order.refund?.state === "sent" ? reconcileRefund(shop, order) : reconcilePayin(shop, order);
}

async function reconcilePayin(shop: Shop, order: Order): Promise<void> {
  const payment = await findPayment(() => shop.tillgate.widget.payin.info(order.id));
  if (payment === undefined) await requestPayment(shop, order);
  else shop.orders.change(order.id, (found) => withPayin(found, newsOf(payment)));
}

async function reconcileRefund(shop: Shop, order: Order): Promise<void> {
  const payment = await findPayment(() => shop.tillgate.p2p.payout.info(refundPaymentId(order)));
  if (payment === undefined) await sendRefund(shop, order);
  else shop.orders.change(order.id, (found) => withPayout(found, newsOf(payment)));
}

function newsOf({ status, payment }: Payment): PaymentNews {
  return { status, amount: payment.amount };
}

/** Undefined: Tillgate has no such payment, so the create did not arrive. */
async function findPayment(info: () => Promise<Payment>): Promise<Payment | undefined> {
  try {
    return await info();
  } catch (error) {
    if (error instanceof TillgateApiError && error.code === "payment_not_found") return undefined;
    throw error;
  }
}
