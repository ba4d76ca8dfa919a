/**
 * Where a callback stands, as operators see it: a pending one is held while its URL is disabled, and a dead one is dismissed once a
 * person has said that it need not be delivered any more.
 */
export const CALLBACK_STATES = ["pending", "held", "delivered", "dead", "dismissed"] as const;
export type CallbackState = (typeof CALLBACK_STATES)[number];
