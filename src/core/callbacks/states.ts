/** Where a callback stands, as operators see it: a pending one is held while its URL is disabled. */
export const CALLBACK_STATES = ["pending", "held", "delivered", "dead"] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];
