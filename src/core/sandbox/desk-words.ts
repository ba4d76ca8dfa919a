/** What a tester can make go wrong with the next calls to the sandbox, and which call it is for. */
export const FAULT_KINDS = [
  "slow",
  "error500_after_success",
  "error500_before",
  "garbage",
  "reset",
  "duplicate",
  "out_of_order",
  "method_step",
  "plain_redirect",
  "slow_approval",
  "late_approval",
  "wrong_amount",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export const FAULT_CALLS = [
  "create",
  "confirm",
  "release",
  "authenticate",
  "reverse",
  "cancel",
  "state",
  "answer",
  "notification",
] as const;
export type FaultCall = (typeof FAULT_CALLS)[number];

/** Why a tester's issuer declines a card. */
export const DECLINE_REASONS = [
  "card_declined",
  "insufficient_funds",
  "card_expired",
  "processing_error",
  "authentication_failed",
  "cancelled",
  "expired",
] as const;
export type DeclineReason = (typeof DECLINE_REASONS)[number];
