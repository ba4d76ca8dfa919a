import type { ClearingAccount } from "../ledger/accounts.ts";
import type { Minor } from "../money.ts";
import { clearingOf } from "../providers.ts";
import type { PaymentState } from "./states.ts";

/**
 * An operator ended the payment without its provider's word. `elsewhere`: settled, and the money moved another way than
 * through its provider; `through_provider`: settled, and the provider moved it; `declined`: it did not move.
 */
export type UnprovenEnd = "elsewhere" | "through_provider" | "declined";

/** What a provider says of a request whose payment is final, in the terms that P2P pay-ins, cards and payouts share. */
export type ProviderWord =
  /** The money moved: a payout left, a charge was approved, a payer's money arrived. */
  | "moved"
  /** It moved, but it was another sum than the one that was counted. */
  | "moved_other"
  /** Certainly not. */
  | "not_moved"
  | "never_seen"
  /** It moved, and the provider took it back. */
  | "reversed"
  /** Neither yes nor no: it may still move. */
  | "pending"
  | "unknown";

export const PROVIDER_WORDS = [
  "moved",
  "moved_other",
  "not_moved",
  "never_seen",
  "reversed",
  "pending",
  "unknown",
] as const satisfies readonly ProviderWord[];

/**
 * `agrees`: the provider says for certain what the books say. `post`: money moved that the books do not know of: a payout
 * goes to `shortfall`, a P2P pay-in to suspense, a charge to suspense and back to the payer. `alert`: the provider
 * contradicts a success, and an operator must look. `ask`: not certain, so the worker asks again.
 */
export type EndVerdict = "agrees" | "post" | "alert" | "ask";

/** The whole table: how it ended, and what the provider says later. A final state never changes, whatever it says. */
export const AFTER_END = {
  elsewhere: {
    moved: "post",
    moved_other: "post",
    not_moved: "agrees",
    never_seen: "agrees",
    reversed: "agrees",
    pending: "ask",
    unknown: "ask",
  },
  through_provider: {
    moved: "agrees",
    moved_other: "alert",
    not_moved: "alert",
    never_seen: "alert",
    reversed: "alert",
    pending: "ask",
    unknown: "ask",
  },
  declined: {
    moved: "post",
    moved_other: "post",
    not_moved: "agrees",
    never_seen: "agrees",
    reversed: "agrees",
    pending: "ask",
    unknown: "ask",
  },
} as const satisfies Record<UnprovenEnd, Record<ProviderWord, EndVerdict>>;

/** What follows from a provider's word on a final payment. One that its provider ended is judged as if by an operator who agreed. */
export function judgeEnd(
  payment: { readonly state: PaymentState; readonly unprovenEnd: UnprovenEnd | null },
  word: ProviderWord,
): EndVerdict {
  const ended = payment.unprovenEnd ?? (payment.state === "success" ? "through_provider" : "declined");
  return AFTER_END[ended][word];
}

type Ended = {
  readonly provider: string | null;
  readonly reference: string | null;
  /** What had arrived for it before it ended. */
  readonly receivedAmount: Minor;
  readonly unprovenEnd: UnprovenEnd | null;
};

/**
 * What the provider must still be asked about after an event. A request that no provider has needs no proof, and neither
 * does a pay-in that was settled for money which had arrived. `clearing`: where an operator says that the money moved.
 */
export function unprovenEndAfter(
  before: Ended,
  event: string,
  clearing: ClearingAccount | undefined,
): UnprovenEnd | null {
  const { provider, reference, receivedAmount } = before;
  if (provider === null || reference === null) return null;
  if (event === "operator_declined") return "declined";
  if (event !== "operator_settled") return before.unprovenEnd;
  if (receivedAmount > 0n) return null;
  return clearing === clearingOf(provider) ? "through_provider" : "elsewhere";
}
