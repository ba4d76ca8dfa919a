import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CardDetails, cvvLengthOf, findCardBrand, listCardFaults } from "./card.ts";
import { passesLuhn } from "./luhn.ts";

/** The digits with the check digit that belongs behind them. */
function withCheckDigit(body: string): string {
  const digit = [..."0123456789"].find((each) => passesLuhn(body + each));
  return body + (digit ?? "");
}

/** A number of that beginning and length that passes the check. */
function panOf(prefix: string, length: number): string {
  return withCheckDigit(prefix.padEnd(length - 1, "1"));
}

describe("a brand", () => {
  it.each([
    ["4242424242424242", "visa"],
    ["4000000000003220", "visa"],
    ["4111111111111111", "visa"],
    ["4100401111100062", "visa"],
    ["4222222222222", "visa"],
    [panOf("4", 19), "visa"],
    ["5555555555554444", "mastercard"],
    [panOf("51", 16), "mastercard"],
    [panOf("2221", 16), "mastercard"],
    [panOf("2720", 16), "mastercard"],
    ["2202208311110010", "mir"],
    ["2200111753579001", "mir"],
    [panOf("2204", 19), "mir"],
    [panOf("62", 16), "unionpay"],
    [panOf("62", 19), "unionpay"],
    ["378282246310005", "amex"],
    ["340000000000009", "amex"],
    [panOf("5018", 12), "maestro"],
    [panOf("6304", 19), "maestro"],
    [panOf("6759", 13), "maestro"],
    [panOf("5615", 16), "maestro"],
    [panOf("9860", 16), "humo"],
    [panOf("8600", 16), "uzcard"],
    [panOf("5614", 16), "uzcard"],
  ] as const)("of %s is %s", (pan, brand) => {
    expect(findCardBrand(pan)).toBe(brand);
    const cvv = "1".repeat(cvvLengthOf(brand));
    expect(listCardFaults({ pan, cvv, expiryMonth: 12, expiryYear: 2030 }, new Date("2026-06-15"))).toEqual([]);
  });

  it.each([
    ["of no range", panOf("1", 16)],
    ["below Mir", panOf("2199", 16)],
    ["between Mir and Mastercard", panOf("2205", 16)],
    ["just below Mastercard's second range", panOf("2220", 16)],
    ["just above Mastercard's second range", panOf("2721", 16)],
    ["between Amex's ranges", panOf("35", 15)],
    ["a Visa of 15 digits", panOf("4", 15)],
    ["a Mastercard of 19 digits", panOf("51", 19)],
    ["an Amex of 16 digits", panOf("37", 16)],
    ["a Humo of 19 digits", panOf("9860", 19)],
    ["an Uzcard of 12 digits, which is no Maestro either", panOf("5614", 12)],
    ["not a number", "constructor"],
    ["nothing", ""],
  ])("is unknown: %s", (_name, pan) => expect(findCardBrand(pan)).toBeUndefined());
});

const GOOD: CardDetails = { pan: "4242424242424242", cvv: "123", expiryMonth: 6, expiryYear: 2026 };
const NOW = new Date("2026-06-15T12:00:00Z");

describe("a card's faults", () => {
  it.each([
    ["none", {}, []],
    ["blanks", { pan: "4242 4242 4242 4242" }, [{ field: "pan", code: "not_digits" }]],
    ["dashes", { pan: "4242-4242-4242-4242" }, [{ field: "pan", code: "not_digits" }]],
    ["a line break behind", { pan: "4242424242424242\n" }, [{ field: "pan", code: "not_digits" }]],
    ["digits of another script", { pan: "４２４２４２４２４２４２４２４２" }, [{ field: "pan", code: "not_digits" }]],
    ["11 digits", { pan: panOf("5018", 11) }, [{ field: "pan", code: "not_digits" }]],
    ["20 digits", { pan: panOf("5018", 20) }, [{ field: "pan", code: "not_digits" }]],
    ["a wrong check digit", { pan: "4242424242424241" }, [{ field: "pan", code: "check_digit" }]],
    ["all zeros", { pan: "0000000000000000" }, [{ field: "pan", code: "check_digit" }]],
    ["no brand", { pan: panOf("1", 16) }, [{ field: "pan", code: "brand_unknown" }]],
    ["a CVV of 2 digits", { cvv: "12" }, [{ field: "cvv", code: "length" }]],
    ["a CVV of 4 digits", { cvv: "1234" }, [{ field: "cvv", code: "length" }]],
    ["a CVV of letters", { cvv: "12a" }, [{ field: "cvv", code: "length" }]],
    ["a CVV with a blank", { cvv: "12 " }, [{ field: "cvv", code: "length" }]],
    ["an Amex with 3", { pan: "378282246310005" }, [{ field: "cvv", code: "length" }]],
    ["an Amex with 4", { pan: "378282246310005", cvv: "1234" }, []],
    ["month 0", { expiryMonth: 0 }, [{ field: "expiry", code: "not_a_month" }]],
    ["month 13", { expiryMonth: 13 }, [{ field: "expiry", code: "not_a_month" }]],
    ["half a month", { expiryMonth: 6.5 }, [{ field: "expiry", code: "not_a_month" }]],
    ["no month", { expiryMonth: Number.NaN }, [{ field: "expiry", code: "not_a_month" }]],
    ["a year of two digits", { expiryYear: 26 }, [{ field: "expiry", code: "not_a_month" }]],
    ["last month", { expiryMonth: 5 }, [{ field: "expiry", code: "over" }]],
    ["this month last year", { expiryYear: 2025 }, [{ field: "expiry", code: "over" }]],
    ["next month", { expiryMonth: 7 }, []],
  ] as const)("%s", (_name, change, faults) => {
    expect(listCardFaults({ ...GOOD, ...change }, NOW)).toEqual(faults);
  });

  it("are all listed, not only the first", () => {
    const card = { pan: "4242424242424241", cvv: "1", expiryMonth: 13, expiryYear: 2026 };
    expect(listCardFaults(card, NOW).map(({ field }) => field)).toEqual(["pan", "cvv", "expiry"]);
  });

  it.each([
    ["2026-06-30T23:59:59.999Z", 6, 2026, 0],
    ["2026-07-01T00:00:00.000Z", 6, 2026, 1],
    ["2026-12-31T23:59:59.999Z", 12, 2026, 0],
    ["2027-01-01T00:00:00.000Z", 12, 2026, 1],
    ["2028-02-29T23:59:59.999Z", 2, 2028, 0],
  ])("at %s a card of %i/%i has %i", (now, expiryMonth, expiryYear, count) => {
    expect(listCardFaults({ ...GOOD, expiryMonth, expiryYear }, new Date(now))).toHaveLength(count);
  });

  it("are found whatever the text, and nothing is thrown", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.double(), fc.double(), (pan, cvv, month, year) => {
        const card = { pan, cvv, expiryMonth: month, expiryYear: year };
        fc.pre(!/^[0-9]{12,19}$/.test(pan));
        expect(listCardFaults(card, NOW)[0]).toEqual({ field: "pan", code: "not_digits" });
      }),
    );
  });

  it("hold a single wrong digit: the check digit finds every one", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), digit, (index, other) => {
        const pan = GOOD.pan.slice(0, index) + other + GOOD.pan.slice(index + 1);
        expect(listCardFaults({ ...GOOD, pan }, NOW).length > 0).toBe(pan !== GOOD.pan);
      }),
    );
  });
});
