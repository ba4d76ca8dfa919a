/** The faults that a tester can order, as the service names them. Each has a sentence in `words`. */
export type FaultChoice = {
  readonly kind: string;
  /** Which calls it can be ordered for; none: the provider's notifications, or the next charge. */
  readonly isOfCalls: boolean;
  /** It takes a time. */
  readonly ms?: number;
};

export const FAULT_CHOICES = {
  slow: { kind: "slow", isOfCalls: true, ms: 10_000 },
  error500_after_success: { kind: "error500_after_success", isOfCalls: true },
  error500_before: { kind: "error500_before", isOfCalls: true },
  reset: { kind: "reset", isOfCalls: true },
  garbage: { kind: "garbage", isOfCalls: true },
  duplicate: { kind: "duplicate", isOfCalls: false },
  out_of_order: { kind: "out_of_order", isOfCalls: false },
  method_step: { kind: "method_step", isOfCalls: false },
  plain_redirect: { kind: "plain_redirect", isOfCalls: false },
  slow_approval: { kind: "slow_approval", isOfCalls: false, ms: 60_000 },
  late_approval: { kind: "late_approval", isOfCalls: false, ms: 60_000 },
  wrong_amount: { kind: "wrong_amount", isOfCalls: false },
} as const satisfies Readonly<Record<string, FaultChoice>>;

export type FaultName = keyof typeof FAULT_CHOICES;
export const FAULT_NAMES = Object.keys(FAULT_CHOICES) as readonly FaultName[];

export const FAULT_CALLS = [
  "answer",
  "create",
  "confirm",
  "state",
  "release",
  "authenticate",
  "reverse",
  "cancel",
] as const;
export type FaultCall = (typeof FAULT_CALLS)[number];

export const FAULT_TIMES = ["1", "3", "always"] as const;
