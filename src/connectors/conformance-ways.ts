import { expect, vi } from "vitest";
import type { ChargeDeclineReason } from "../core/card-acquirer.ts";

/**
 * In what ways providers may differ and still conform. A world that names none of them is held to the usual ones, which
 * are the strictest.
 */
export type ProviderWays = {
  /** `later`: a request is only accepted at first, and a later question tells what was done. */
  readonly answers: "at_once" | "later";
  /** `totals`: all that arrived so far as one sum, instead of each piece of money by its name. */
  readonly reports: "receipts" | "totals";
  /** Whether it reports money that arrives after a release or a decline. One that does not keeps that money. */
  readonly tellsAfterEnd: boolean;
};

export const USUAL_WAYS: ProviderWays = { answers: "at_once", reports: "receipts", tellsAfterEnd: true };

export type CardWays = Pick<ProviderWays, "answers" | "tellsAfterEnd"> & {
  /** Whether it judges a result that comes after the end. One that does not answers with the end. */
  readonly judgesAfterEnd: boolean;
  /** Whether it passes on the issuer's hidden step before a challenge. */
  readonly tellsMethodStep: boolean;
  /** What it calls the reason of a decline, where it has fewer words than we. */
  readonly tellsReason: (reason: ChargeDeclineReason) => ChargeDeclineReason;
};

export const USUAL_CARD_WAYS: CardWays = {
  answers: "at_once",
  tellsAfterEnd: true,
  judgesAfterEnd: true,
  tellsMethodStep: true,
  tellsReason: (reason) => reason,
};

const WAIT = { timeout: 60_000, interval: 25 };

/** What is asked for: at once, or as soon as the provider has done it. */
export function settled<T>(
  { answers }: Pick<ProviderWays, "answers">,
  ask: () => Promise<T>,
  isSettled: (answer: T) => boolean,
): Promise<T> {
  if (answers === "at_once") return ask();
  return vi.waitFor(async () => {
    const answer = await ask();
    expect(answer).toSatisfy(isSettled);
    return answer;
  }, WAIT);
}

export function isNotPending({ kind }: { readonly kind: string }): boolean {
  return kind !== "pending";
}
