import { AMOUNT_MAX, type Minor, ZERO } from "../money.ts";

/** The rates of the moment of creation: basis points of the sum, and a fixed part. */
export type FeeRates = { readonly basisPoints: number; readonly fixed: Minor };

const BASIS_POINTS_IN_ALL = 10_000n;

/** Rounded half up to a whole minor unit. */
export function feeOf(amount: Minor, rates: FeeRates): Minor {
  const share = (amount * BigInt(rates.basisPoints) + BASIS_POINTS_IN_ALL / 2n) / BASIS_POINTS_IN_ALL;
  return (share + rates.fixed) as Minor;
}

/** What the merchant gets of a pay-in. A fee that reaches the sum leaves nothing, and never less than nothing. */
export function splitPayin(amount: Minor, rates: FeeRates): { readonly fee: Minor; readonly net: Minor } {
  const wanted = feeOf(amount, rates);
  const fee = wanted < amount ? wanted : amount;
  return { fee, net: (amount - fee) as Minor };
}

/** True when a pay-in of this sum would leave the merchant nothing: then it is refused at create. */
export function feeReachesAmount(amount: Minor, rates: FeeRates): boolean {
  return feeOf(amount, rates) >= amount;
}

/** What a payout takes from the balance: the receiver gets the sum, and the fee comes on top. */
export function payoutCost(amount: Minor, rates: FeeRates): { readonly fee: Minor; readonly total: Minor } | undefined {
  const fee = feeOf(amount, rates);
  const total = (amount + fee) as Minor;
  return total > AMOUNT_MAX || fee < ZERO ? undefined : { fee, total };
}
