import type { Currency } from "../currency.ts";

/** A sum of one currency. Sums of many rows may be larger than any amount. */
export type CurrencySum = { readonly currency: Currency; readonly amount: bigint };

/** A limit that is exceeded, and by which sum: the batch, and what its author made alone in the hours before. */
export type LimitExceeded = { readonly currency: Currency; readonly limit: bigint; readonly sum: bigint };

/** What a person made alone within so long counts together, so that splitting a sum does not avoid the second person. */
export const COUNTED_HOURS = 24;

/** Limits that a batch exceeds. A limit of 0 is exceeded by every payout; a currency without a limit never. */
export function findExceeded(
  limits: readonly CurrencySum[],
  batch: readonly CurrencySum[],
  madeAlone: readonly CurrencySum[],
): readonly LimitExceeded[] {
  return limits.flatMap(({ currency, amount: limit }) => {
    const own = sumOf(batch, currency);
    const sum = own + sumOf(madeAlone, currency);
    return own > 0n && sum > limit ? [{ currency, limit, sum }] : [];
  });
}

function sumOf(sums: readonly CurrencySum[], currency: Currency): bigint {
  return sums.reduce((sum, each) => (each.currency === currency ? sum + each.amount : sum), 0n);
}
