import type { EcomPayinRequest, EcomPayoutRequest, P2pPayinRequest, P2pPayoutRequest } from "../src/index.ts";

export const customer = { id: "customer-1", ip_address: "192.0.2.1" };

export const payinRequest: P2pPayinRequest = {
  general: { payment_id: "ord-771", merchant_callback_url: "https://shop.example/callbacks" },
  payment: { method: "sbp-p2p", amount: 250000, currency: "RUB", lifetime: 600 },
  sender: { bank: "sberbank" },
  customer,
};

export const RECEIVER_PAN = "4242424242424242";

export const payoutRequest: P2pPayoutRequest = {
  general: { payment_id: "out-1" },
  payment: { method: "card-p2p", amount: 100000, currency: "RUB" },
  receiver: { pan: RECEIVER_PAN },
  customer,
};

/** A CVV that is in no other text, so that it can be searched for. */
export const CARD = {
  pan: "4000000000003220",
  cvv: "7294",
  card_holder: "IVAN IVANOV",
  expiry_month: 12,
  expiry_year: 2030,
};

export const cardPayinRequest: EcomPayinRequest = {
  general: { payment_id: "ord-771", redirect_url: "https://shop.example/orders/771" },
  payment: { method: "card-ecom", amount: 250000, currency: "RUB", lifetime: 300 },
  card: CARD,
  customer: { ...customer, browser: { user_agent: "Firefox", screen_width: 1920, java_enabled: false } },
};

export const cardPayoutRequest: EcomPayoutRequest = {
  general: { payment_id: "out-1" },
  payment: { method: "card-ecom", amount: 100000, currency: "RUB" },
  receiver: { pan: RECEIVER_PAN, card_holder: "IVAN IVANOV" },
  customer,
};

export const REQUISITES_PAN = "2200123412343456";

/** A payment object as the service writes it. */
export function paymentObject(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    project_id: "project-1",
    payment_id: "ord-771",
    request_id: "0190f3c2a7b47c1e8d5f6a7b8c9d0e1f",
    type: "payin",
    status: "processing",
    sub_status: "awaiting_confirm",
    status_description: null,
    decline_code: null,
    payment: {
      method: "card-p2p",
      amount: 250000,
      requested_amount: 250000,
      currency: "RUB",
      fee: 6250,
      net: 243750,
    },
    requisites: { type: "card", pan: REQUISITES_PAN, holder: "IVAN I.", amount: 250000, currency: "RUB" },
    created_at: "2026-01-31T10:00:00.000Z",
    updated_at: "2026-01-31T10:00:01.000Z",
    expires_at: "2026-01-31T10:15:00.000Z",
    finished_at: null,
    ...changes,
  };
}
