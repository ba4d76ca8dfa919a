/** An order, and the rules by which it changes. Nothing here reads a file, a clock or the network. */
export type Order = {
  /** The shop's own number. It is the payment_id of the pay-in, so it is written down before Tillgate is called. */
  readonly id: string;
  readonly item: string;
  /** In minor units: 250000 is 2,500.00 roubles. */
  readonly price: number;
  readonly currency: "RUB";
  readonly customerIp: string;
  readonly placedAt: string;
  /** Where the payer pays; unknown until Tillgate has answered. */
  readonly formUrl?: string;
  readonly state: OrderState;
  /** What the pay-in was settled for, once it was. */
  readonly paidAmount?: number;
  readonly refund?: Refund;
  /** The highest event.sequence of each payment, so that a late callback never moves it backwards. */
  readonly sequences: Readonly<Record<string, number>>;
  /** Callbacks that were handled already: each may come more than once. */
  readonly eventIds: readonly string[];
};

/**
 * placed: not paid yet. held: something is wrong with the money and an operator decides. paid: deliver. underpaid: the
 * money that came does not cover the price; it goes back. cancelled: nothing was paid.
 */
export type OrderState = "placed" | "held" | "paid" | "underpaid" | "cancelled";

/** Money that goes back by a payout. due: the customer has not said where to. failed attempts make it due again. */
type Refund = {
  readonly amount: number;
  readonly attempt: number;
  readonly state: "due" | "sent" | "paid";
  /** Needed to repeat the same request after a crash. A phone and not a card: no card number is ever kept here. */
  readonly receiver?: Receiver;
  readonly problem?: string;
};

export type Receiver = { readonly phone: string; readonly bank: string };

/** What callbacks and `info` both say of a payment. */
export type PaymentNews = { readonly status: string; readonly amount: number };

export function isOpen({ state, refund }: Order): boolean {
  return state === "placed" || state === "held" || refund?.state === "sent";
}

/** A new attempt has a new id, and only a decline, which is final, leads to one. So a refund is never paid twice. */
export function refundPaymentId(order: Order): string {
  return `${order.id}-refund-${order.refund?.attempt ?? 1}`;
}

/** Only `success` and `decline` are final, and what is final never changes. Unknown words change nothing. */
export function withPayin(order: Order, { status, amount }: PaymentNews): Order {
  if (order.state !== "placed" && order.state !== "held") return order;
  if (status === "dispute") return { ...order, state: "held" };
  if (status === "decline") return { ...order, state: "cancelled" };
  if (status !== "success") return order;
  const back = amount >= order.price ? amount - order.price : amount;
  return {
    ...order,
    state: amount >= order.price ? "paid" : "underpaid",
    paidAmount: amount,
    ...(back > 0 ? { refund: { amount: back, attempt: 1, state: "due" } } : {}),
  };
}

export function withRefundSent(order: Order, receiver: Receiver): Order {
  if (order.refund?.state !== "due") return order;
  const { amount, attempt } = order.refund;
  return { ...order, refund: { amount, attempt, state: "sent", receiver } };
}

export function withPayout(order: Order, { status }: PaymentNews): Order {
  const { refund } = order;
  if (refund?.state !== "sent") return order;
  if (status === "success") return { ...order, refund: { ...refund, state: "paid" } };
  if (status === "decline") return withRefundRefused(order, "The bank declined it.");
  return order;
}

/** Nothing left the balance, so the customer may try again, with other details. */
export function withRefundRefused(order: Order, problem: string): Order {
  if (order.refund?.state !== "sent") return order;
  const { amount, attempt } = order.refund;
  return { ...order, refund: { amount, attempt: attempt + 1, state: "due", problem } };
}
