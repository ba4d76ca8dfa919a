import { expect, it } from "vitest";
import { decimalsOf, findCurrency } from "../../src/core/currency.ts";
import { decimalsOf as decimalsOnPages } from "../../web/kit/currencies.ts";
import { formatMoney } from "../../web/kit/money.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

it("pages and ledger agree on the decimals of every currency", () => {
  const codes = LETTERS.flatMap((a) => LETTERS.flatMap((b) => LETTERS.map((c) => `${a}${b}${c}`)));
  const known = codes.flatMap((code) => findCurrency(code) ?? []);
  expect(known.length).toBeGreaterThan(100);
  expect(known.filter((currency) => decimalsOf(currency) !== decimalsOnPages(currency))).toEqual([]);
});

it("a sum beyond what JavaScript holds exactly is written to its last digit", () => {
  const text = formatMoney({ amount: "90071992547409931234567", currency: "RUB", decimals: 2 }, "en");
  expect(text.replace(/[^\d.]/g, "")).toBe("900719925474099312345.67");
});
