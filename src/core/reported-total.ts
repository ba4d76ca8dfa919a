import type { ReportedMoney, ReportedReceipt } from "./connector.ts";
import { type Minor, ZERO } from "./money.ts";

/**
 * Some providers name no pieces of money, and say only how much has arrived so far. What such a total says beyond what was
 * counted becomes one receipt. Its name is the sum that it continues from, so of two looks which saw different totals at the same
 * moment one is counted, and the next look counts the rest.
 */
export function receiptOfRest(
  reference: string,
  total: NonNullable<ReportedMoney["total"]>,
  counted: Minor,
): ReportedReceipt | undefined {
  if (total.amount <= counted) return undefined;
  const amount = (total.amount - counted) as Minor;
  return { receiptReference: `${reference}:after:${counted}`, amount, receivedAt: total.receivedAt };
}

/** All that the provider says it has received and not taken back. */
export function moneyOf({ receipts, total }: ReportedMoney): Minor {
  if (total !== undefined) return total.amount;
  const kept = receipts.filter(({ reversed }) => reversed === undefined);
  return kept.reduce<bigint>((sum, { amount }) => sum + amount, ZERO) as Minor;
}
