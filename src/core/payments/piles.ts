/** Payments that `attention` counts by something else than their state; `payment list --attention` lists each pile. */
export const PAYMENT_PILES = ["unknown", "late", "shortfall", "contradicted", "room", "unsent", "paused"] as const;
export type PaymentPile = (typeof PAYMENT_PILES)[number];
