import { type Currency, decimalsOf } from "./currency.ts";
import { fail, ok, type Result } from "./result.ts";

/** A sum in minor units (kopecks, cents). Branded, so that a bare bigint cannot pass for checked money. */
export type Minor = bigint & { readonly __brand: "Minor" };

/** The specification's range for an amount; also the most that a project may hold in one currency. */
export const AMOUNT_MIN = 1n as Minor;
export const AMOUNT_MAX = 10_000_000_000_000n as Minor;

export const ZERO = 0n as Minor;

export function toAmount(value: bigint): Result<Minor, string> {
  if (value < AMOUNT_MIN) return fail(`must be at least ${AMOUNT_MIN}`);
  if (value > AMOUNT_MAX) return fail(`must be at most ${AMOUNT_MAX}`);
  return ok(value as Minor);
}

/** The JSON form. Sums never exceed 10^13, far below 2^53, so a double holds them exactly; more than that is a bug. */
export function minorToJson(amount: Minor): number {
  const asNumber = Number(amount);
  if (!Number.isSafeInteger(asNumber)) throw new Error("a sum beyond 2^53 cannot be written as a JSON integer");
  return asNumber;
}

/** For people: `1234.50 RUB`. Never for machines. */
export function formatMoney(amount: Minor, currency: Currency): string {
  return `${majorText(amount, currency)} ${currency}`;
}

/** In major units, as people and banks' forms write it: `1234.50`. */
export function majorText(amount: Minor, currency: Currency): string {
  const decimals = decimalsOf(currency);
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : `.${digits.slice(-decimals)}`;
  return `${sign}${whole}${fraction}`;
}
