import { isFinal, type PaymentState } from "../../core/payments/states.ts";

/** The result of a manual payout; null: it waits. */
export type HandPayoutEnd = "approved" | "declined" | "may_have_left" | "receiver_wrong";

const CODE_LENGTH = 12;

/** What the bank is told as the purpose of a payout, so that its statement names it: see the column `code`. */
export function payoutCodeOf(reference: string): string {
  return `TG-${(reference.split("-")[0] ?? "").slice(-CODE_LENGTH).toUpperCase()}`;
}

/** Banks change case, and some lose the dash. */
const CODE = /(?<![\p{L}\p{N}])TG[- ]?([0-9A-F]{12})(?![\p{L}\p{N}])/giu;

/** The codes that a text names, each once, as `payoutCodeOf` writes them. */
export function listPayoutCodes(text: string): readonly string[] {
  return [...new Set([...text.matchAll(CODE)].map(([, digits = ""]) => `TG-${digits.toUpperCase()}`))];
}

type Payout = { readonly reference: string; readonly outcome: HandPayoutEnd | null };
type Payment = {
  readonly state: PaymentState;
  /** The request that the payment has now; another one than the payout's where it went on to another provider. */
  readonly reference: string | null;
  readonly shortfallAt: Date | null;
};

/**
 * Why a payout by hand cannot turn out to have left. `completed`: it did already; `paid_otherwise`: its payment was paid, but
 * not by it; `elsewhere`: another provider has it now, and may pay it. Money that left anyway stays unexplained.
 */
export type LeavingObstacle = "completed" | "paid_otherwise" | "elsewhere";

export function findLeavingObstacle(payout: Payout, payment: Payment): LeavingObstacle | undefined {
  if (payout.outcome === "approved") return "completed";
  // It was declined, and its money given back: it may still turn out to have left, but only once.
  if (payment.state === "decline") return payment.shortfallAt === null ? undefined : "paid_otherwise";
  if (payment.state === "success") return "paid_otherwise";
  return payment.reference === payout.reference ? undefined : "elsewhere";
}

/** An operator has to pay it, or to record the result. */
export function isWaiting(payout: Payout, payment: Payment): boolean {
  return payout.outcome === null && !isFinal(payment.state) && payment.reference === payout.reference;
}
