import { expect, it } from "vitest";
import { decimalsOf, findCurrency } from "./currency.ts";
import { isOffered, listMethodOffers, METHODS } from "./merchants/methods.ts";
import { formatMoney, type Minor, minorToJson, toAmount } from "./money.ts";

function currency(code: string) {
  const found = findCurrency(code);
  if (found === undefined) throw new Error(code);
  return found;
}

it("knows ISO 4217 with its decimals, and nothing else", () => {
  expect(["JPY", "RUB", "KWD"].map((code) => decimalsOf(currency(code)))).toEqual([0, 2, 3]);
  for (const code of ["rub", "XXX", "RU", "", "__proto__", "RUBB"]) expect(findCurrency(code)).toBeUndefined();
});

it("takes amounts from 1 to 10^13", () => {
  expect(toAmount(0n).ok).toBe(false);
  expect(toAmount(-1n).ok).toBe(false);
  expect(toAmount(1n).ok).toBe(true);
  expect(toAmount(10_000_000_000_000n).ok).toBe(true);
  expect(toAmount(10_000_000_000_001n).ok).toBe(false);
});

it("writes money for people and for JSON, exactly", () => {
  expect(formatMoney(123450n as Minor, currency("RUB"))).toBe("1234.50 RUB");
  expect(formatMoney(5n as Minor, currency("KWD"))).toBe("0.005 KWD");
  expect(formatMoney(-7n as Minor, currency("JPY"))).toBe("-7 JPY");
  expect(minorToJson(10_000_000_000_000n as Minor)).toBe(10_000_000_000_000);
  expect(() => minorToJson((2n ** 60n) as Minor)).toThrow();
});

it("offers each method where the table says, and nowhere else", () => {
  const offers = listMethodOffers().map(({ direction, method, currency: code }) => `${direction} ${method} ${code}`);
  expect(offers).toHaveLength(12 + 2 + 6 + 4 + 6 + 1 + 1 + 1 + 1 + 6);
  expect(new Set(offers).size).toBe(offers.length);
  expect(isOffered("payout", "ussd", "NGN")).toBe(false);
  expect(isOffered("payin", "sbp-p2p", "KZT")).toBe(false);
  for (const row of Object.values(METHODS)) {
    for (const code of Object.keys(row.currencies)) expect(findCurrency(code)).toBe(code);
  }
});
