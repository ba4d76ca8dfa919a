/** The payments that the desk can make: real calls of the merchant API, with a body that fits them. */
export type TestOrder = {
  readonly path: string;
  readonly currency: string;
  readonly direction: "payin" | "payout";
  readonly payment: object;
  readonly rest?: object;
  /** Its amount says what happens; of a card its number does. */
  readonly byAmount: boolean;
};

const P2P_PAYIN = { path: "/api/v1/payment/p2p/payin", direction: "payin", byAmount: true } as const;
const CARD_PAYIN = {
  path: "/api/v1/payment/ecom/payin",
  currency: "RUB",
  direction: "payin",
  payment: { method: "card-ecom" },
  byAmount: false,
} as const;

function cardOf(pan: string) {
  return { card: { pan, cvv: "123", card_holder: "TEST PAYER", expiry_month: 12, expiry_year: 2039 } };
}

export const TEST_ORDERS = {
  card_transfer: { ...P2P_PAYIN, currency: "RUB", payment: { method: "card-p2p" } },
  sbp: { ...P2P_PAYIN, currency: "RUB", payment: { method: "sbp-p2p" } },
  phone: { ...P2P_PAYIN, currency: "AZN", payment: { method: "phone-p2p" } },
  qr: { ...P2P_PAYIN, currency: "KGS", payment: { method: "qr-link-p2p" } },
  page: { path: "/api/v1/widget/payin", currency: "RUB", direction: "payin", payment: {}, byAmount: true },
  card_challenge: { ...CARD_PAYIN, rest: cardOf("4000000000003220") },
  card_approved: { ...CARD_PAYIN, rest: cardOf("4242424242424242") },
  card_declined: { ...CARD_PAYIN, rest: cardOf("4000000000009995") },
  payout: {
    path: "/api/v1/payment/p2p/payout",
    currency: "RUB",
    direction: "payout",
    payment: { method: "card-p2p" },
    rest: { receiver: { pan: "4242424242424242", card_holder: "TEST RECEIVER" } },
    byAmount: true,
  },
} as const satisfies Readonly<Record<string, TestOrder>>;

export type TestOrderName = keyof typeof TEST_ORDERS;
export const TEST_ORDER_NAMES = Object.keys(TEST_ORDERS) as readonly TestOrderName[];

/** Where the desk decides: a pay-in waits for a confirm, and the bank of a payout does not answer by itself. */
export const FIRST_AMOUNT = { payin: "1000.00", payout: "1000.03" } as const;

/** The body that a merchant's server would send, but for its own project. */
export function bodyOf(
  order: TestOrder,
  made: { readonly paymentId: string; readonly amount: number; readonly callbackUrl: string | undefined },
) {
  const { paymentId, amount, callbackUrl } = made;
  return {
    general: {
      payment_id: paymentId,
      ...(callbackUrl === undefined ? {} : { merchant_callback_url: callbackUrl }),
    },
    payment: { ...order.payment, amount, currency: order.currency },
    customer: { id: "desk-payer", ip_address: "203.0.113.7" },
    ...order.rest,
  };
}

/** Short enough to be read out, and not used before: the time to the millisecond, in base 36. */
export function newPaymentId(): string {
  return `desk-${Date.now().toString(36)}`;
}

/** What the last two digits of the amount make the sandbox do. */
const ENDINGS = {
  payin: { "01": "unasked", "02": "never", "03": "over", "04": "late", "05": "refused", "06": "too_late" },
  payout: { "01": "declined", "02": "failed", "03": "silent" },
} as const;
type EndingOf<D extends keyof typeof ENDINGS> = (typeof ENDINGS)[D][keyof (typeof ENDINGS)[D]];
export type Meaning = EndingOf<"payin"> | EndingOf<"payout"> | "confirmed" | "paid" | "by_card";

export function meaningOf({ direction, byAmount }: TestOrder, amount: number): Meaning {
  if (!byAmount) return "by_card";
  const endings: Readonly<Record<string, Meaning>> = ENDINGS[direction];
  const ending = String(amount % 100).padStart(2, "0");
  return endings[ending] ?? (direction === "payin" ? "confirmed" : "paid");
}
