import { expect, test } from "vitest";
import { type Currency, findCurrency } from "../../core/currency.ts";
import { readMajorAmount } from "./major-amount.ts";

const currencyOf = (code: string) => findCurrency(code) as Currency;

test.each([
  ["2500.00", "RUB", 250_000n],
  ["0.01", "RUB", 1n],
  ["2500", "JPY", 2_500n],
  ["2.500", "KWD", 2_500n],
  ["100000000000.00", "RUB", 10_000_000_000_000n],
])("%s %s is read as minor units", (text, currency, minor) =>
  expect(readMajorAmount(text, currencyOf(currency))).toBe(minor),
);

test("an amount that could be meant either way is refused with both readings", () => {
  expect(() => readMajorAmount("2500", currencyOf("RUB"))).toThrow(
    'AMOUNT must be written with 2 decimals in RUB, such as 2500.00. It is "2500", which could mean 2500.00 or, in minor units, 25.00: write the one that you mean.',
  );
});

test.each([
  ["2500.0", "RUB"],
  ["2500.000", "RUB"],
  ["2,500.00", "RUB"],
  ["2500,00", "RUB"],
  ["-1.00", "RUB"],
  ["1e3", "RUB"],
  [".50", "RUB"],
  ["", "RUB"],
  ["٢.٠٠", "RUB"],
  ["2500.00", "JPY"],
  ["2.50", "KWD"],
])("%j %s is refused", (text, currency) =>
  expect(() => readMajorAmount(text, currencyOf(currency))).toThrow(/^AMOUNT must be written with/),
);

test.each(["0.00", "100000000000.01"])("%s RUB is out of range", (text) =>
  expect(() => readMajorAmount(text, currencyOf("RUB"))).toThrow("AMOUNT must be from 0.01 to 100000000000.00 RUB."),
);
