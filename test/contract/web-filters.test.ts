import { describe, expect, it } from "vitest";
import { minorText } from "../../web/account/filters.ts";

describe("an amount that a person types", () => {
  it.each([
    ["1500", 2, "150000"],
    ["1500.5", 2, "150050"],
    ["1 500,05", 2, "150005"],
    ["0.01", 2, "1"],
    ["1500", 0, "1500"],
    ["1.005", 3, "1005"],
    ["1.5", 0, undefined],
    ["1.005", 2, undefined],
    ["-5", 2, undefined],
    ["abc", 2, undefined],
    ["", 2, undefined],
    ["99999999999999", 2, undefined],
  ])("%s with %i decimals is %s", (text, decimals, minor) => {
    expect(minorText(text, decimals)).toBe(minor);
  });
});
