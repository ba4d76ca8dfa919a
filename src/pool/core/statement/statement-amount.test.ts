import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Currency, decimalsOf, findCurrency } from "../../../core/currency.ts";
import { type DecimalSign, readAmount, readPlainAmount } from "./statement-amount.ts";

function currency(code: string): Currency {
  const found = findCurrency(code);
  if (found === undefined) throw new Error(code);
  return found;
}

describe("amounts", () => {
  it.each<[string, string, bigint, DecimalSign?]>([
    ["1234", "RUB", 123400n],
    ["1234.5", "RUB", 123450n],
    ["1234,50", "RUB", 123450n],
    ["1 234,50", "RUB", 123450n],
    ["1\u00A0234\u00A0567,50", "RUB", 123456750n],
    ["1\u202F234.50", "RUB", 123450n],
    ["1'234'567.89", "CHF", 123456789n],
    ["1’234.00", "CHF", 123400n],
    ["1,234.50", "USD", 123450n],
    ["1.234,50", "EUR", 123450n],
    ["1,234,567", "USD", 123456700n],
    ["1.234.567,8", "EUR", 123456780n],
    ["12.5000", "EUR", 1250n],
    ["0,500", "EUR", 50n],
    ["1234,500", "EUR", 123450n],
    ["1 234,500", "EUR", 123450n],
    ["1,234", "USD", 123400n, "."],
    ["1.500", "EUR", 150n, "."],
    ["1.234", "EUR", 123400n, ","],
    ["1.234", "KWD", 1234n, "."],
    ["1,234.567", "KWD", 1234567n],
    ["0.005", "KWD", 5n],
    ["1234.00", "JPY", 1234n],
    ["1,234,567", "JPY", 1234567n],
    ["1,234", "JPY", 1234n, "."],
    ["-5.00", "RUB", -500n],
    ["\u22125,00", "RUB", -500n],
    ["(5.00)", "RUB", -500n],
    ["- 5.00", "RUB", -500n],
    ["+5.00", "RUB", 500n],
    ["0.00", "RUB", 0n],
  ])("%s %s is %s", (text, code, minor, decimal) => {
    expect(readAmount(text, currency(code), decimal)).toEqual({ ok: true, value: minor });
  });

  it.each<[string, string, string, DecimalSign?]>([
    ["1,234", "USD", "one separator"],
    ["1.234", "EUR", "one separator"],
    ["999,000", "RUB", "one separator"],
    ["1,234", "JPY", "one separator"],
    ["1,000", "JPY", "one separator"],
    ["1.234", "KWD", "one separator"],
    ["1.505", "EUR", "more decimals", "."],
    ["1234.567", "EUR", "more decimals"],
    ["1.5", "JPY", "more decimals"],
    ["1,234.567", "USD", "more decimals"],
    ["", "EUR", "cannot be read"],
    ["-", "EUR", "cannot be read"],
    ["--5", "EUR", "cannot be read"],
    ["(-5)", "EUR", "cannot be read"],
    ["5-", "EUR", "cannot be read"],
    ["5.", "EUR", "cannot be read"],
    [".5", "EUR", "cannot be read"],
    ["1e3", "EUR", "cannot be read"],
    ["0x10", "EUR", "cannot be read"],
    ["٥", "EUR", "cannot be read"],
    ["5 EUR", "EUR", "cannot be read"],
    ["12 34", "EUR", "cannot be read"],
    ["1 2345.00", "EUR", "cannot be read"],
    ["1,00,000.00", "INR", "cannot be read"],
    ["1,234.567,89", "EUR", "cannot be read"],
    ["1 234,567.00", "EUR", "cannot be read"],
    ["1.5.2", "EUR", "cannot be read", "."],
    ["9".repeat(41), "EUR", "cannot be read"],
  ])("%s %s is refused: %s", (text, code, reason, decimal) => {
    const read = readAmount(text, currency(code), decimal);
    expect(read.ok ? read.value : read.error).toContain(reason);
  });

  it("read back in every style they are written in", () => {
    const styles = fc.record({
      decimal: fc.constantFrom<DecimalSign>(".", ","),
      group: fc.constantFrom("", " ", "\u00A0", "\u202F", "'", "other"),
      sign: fc.constantFrom("", "-", "\u2212", "()"),
      code: fc.constantFrom("RUB", "JPY", "KWD"),
    });
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), styles, (amount, { decimal, group, sign, code }) => {
        const separator = group === "other" ? (decimal === "." ? "," : ".") : group;
        const text = print(amount, decimalsOf(currency(code)), decimal, separator);
        const signed = sign === "()" ? `(${text})` : sign + text;
        const expected = { ok: true, value: sign === "" ? amount : -amount };
        expect(readAmount(signed, currency(code), decimal)).toEqual(expected);
        // Without knowing the sign, an amount is read the same or refused, and never read as something else.
        const guessed = readAmount(signed, currency(code));
        if (guessed.ok) expect(guessed).toEqual(expected);
        else expect(guessed.error).toContain("one separator");
      }),
      { numRuns: 2_000 },
    );
  });
});

function print(amount: bigint, decimals: number, decimal: string, group: string): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:[0-9]{3})+$)/g, group);
  return decimals === 0 ? whole : `${whole}${decimal}${digits.slice(-decimals)}`;
}

it("are plain in XML", () => {
  const read = (text: string) => readPlainAmount(text, currency("EUR"));
  expect(["5", "5.5", "1234.50", "0005.00"].map(read)).toEqual(
    [500n, 550n, 123450n, 500n].map((value) => ({ ok: true, value })),
  );
  for (const text of ["", "-5", "5,00", "1 000", "1e3", "5.001", ".5"]) expect(read(text).ok).toBe(false);
});
