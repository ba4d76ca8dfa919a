import { expect, it } from "vitest";
import { maskPan, maskPansIn, passesLuhn } from "./luhn.ts";

it.each([
  "4242424242424242",
  "5555555555554444",
  "2202208311110010",
  "4000000000003220",
  "2200111753579001",
  "378282246310005",
])("%s passes", (pan) => expect(passesLuhn(pan)).toBe(true));

it.each(["4242424242424241", "0000000000000000", "", "4", "4242 4242 4242 4242", "４２４２", "42424242424242420"])(
  "%s does not",
  (pan) => {
    expect(passesLuhn(pan)).toBe(false);
  },
);

it("masks every number in a text that could be a card's", () => {
  expect(maskPansIn("card.4242424242424242 and 1234567890123456789012")).toBe(
    "card.424242******4242 and 123456************9012",
  );
  expect(maskPansIn("payment.12345678901")).toBe("payment.12345678901");
});

it("masks all but six and four", () => {
  expect(maskPan("2200123456783456")).toBe("220012******3456");
  expect(maskPan("220012345678")).toBe("220012**5678");
});
