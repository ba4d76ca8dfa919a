import type { Currency } from "../currency.ts";
import type { Direction } from "../merchants/methods.ts";
import type { Minor } from "../money.ts";
import { isFinal, type PaymentState } from "../payments/states.ts";

/** `open`: it is not over, or in dispute. */
export const ENTRY_STATUSES = ["success", "decline", "open"] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** What a provider's books say of one request of ours. */
export type TheirEntry = {
  readonly status: EntryStatus;
  /** The provider's own words. */
  readonly word: string;
  readonly amount: Minor;
  readonly currency: Currency;
  /** Undefined: the provider does not say. */
  readonly fee: Minor | undefined;
};

/** What our books say of it. */
export type OurEntry = {
  readonly reference: string;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly status: EntryStatus;
  /** What moved through this provider; where nothing did, what was asked for. */
  readonly amount: Minor;
  /** Null: none was noted. */
  readonly fee: Minor | null;
  /** The provider need not know of it: it refused it, or was never asked. */
  readonly mayBeAbsent: boolean;
};

export type AttemptFacts = Pick<OurEntry, "reference" | "direction" | "currency" | "fee"> & {
  readonly outcome: "open" | "taken" | "refused" | "conflict";
  readonly state: PaymentState;
  /** It is the attempt that the payment has now. */
  readonly isPresent: boolean;
  readonly requested: Minor;
  readonly moved: Minor;
};

/**
 * An attempt as our books have it. Money says more than the payment's state: a payment that was settled another way moved
 * nothing here, and money that came after a decline did.
 */
export function ourEntryOf(facts: AttemptFacts): OurEntry {
  const { reference, direction, currency, fee, outcome, moved } = facts;
  const isOver = !facts.isPresent || outcome === "refused" || isFinal(facts.state);
  const overStatus: EntryStatus = moved > 0n ? "success" : "decline";
  const status = isOver ? overStatus : "open";
  return {
    ...{ reference, direction, currency, fee, status },
    amount: moved > 0n ? moved : facts.requested,
    mayBeAbsent: status === "decline" && outcome !== "taken",
  };
}

export const DIFFERENCE_KINDS = [
  "missing_here",
  "missing_there",
  "other_status",
  "other_amount",
  "other_currency",
  "other_fee",
  "doubled",
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** Empty: the two agree. Sums are compared where both say that the money moved: before that either side may still wait for more. */
export function compareEntry(ours: OurEntry, theirs: TheirEntry): DifferenceKind[] {
  if (ours.currency !== theirs.currency) return ["other_currency"];
  if (ours.status !== theirs.status) return ["other_status"];
  if (ours.status !== "success") return [];
  const kinds: DifferenceKind[] = [];
  if (ours.amount !== theirs.amount) kinds.push("other_amount");
  if (theirs.fee !== undefined && (ours.fee ?? 0n) !== theirs.fee) kinds.push("other_fee");
  return kinds;
}
