import { randomUUID } from "node:crypto";
import type { Order } from "./order.ts";
import type { Shop } from "./shop.ts";

export type Basket = { readonly item: string; readonly price: number; readonly customerIp: string };

/** Writes the order down, then asks Tillgate for a payment page. Returns where the payer pays. */
export async function checkOut(shop: Shop, basket: Basket): Promise<string> {
  const order: Order = {
    id: `order-${randomUUID()}`,
    ...basket,
    currency: "RUB",
    placedAt: new Date().toISOString(),
    state: "placed",
    sequences: {},
    eventIds: [],
  };
  shop.orders.add(order);
  return requestPayment(shop, order);
}

/**
 * Safe to repeat: the same payment_id with the same body answers with the payment that exists. Reconciliation does so for
 * orders whose first request may never have arrived.
 */
export async function requestPayment({ tillgate, orders, url }: Shop, order: Order): Promise<string> {
  const { payment } = await tillgate.widget.payin.create({
    general: {
      payment_id: order.id,
      merchant_callback_url: `${url}/callbacks`,
      redirect_url: `${url}/orders/${order.id}`,
    },
    payment: { amount: order.price, currency: order.currency, description: order.item },
    customer: { id: `customer-of-${order.id}`, ip_address: order.customerIp, language: "en" },
  });
  const formUrl = payment.integration?.form_url;
  if (formUrl === undefined) throw new Error(`there is no payment page for ${order.id}`);
  orders.change(order.id, (found) => ({ ...found, formUrl }));
  return formUrl;
}
