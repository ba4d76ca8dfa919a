import { expect, it } from "vitest";
import { maskNumbers } from "./mask-numbers.ts";

it.each([
  ['{"pan":"2200001684171053"}', '{"pan":"220000******1053"}'],
  ["2200 0016 8417 1053.", "220000******1053***."],
  ["order 12345678901", "order 12345678901"],
  ["", ""],
])("%j becomes %j", (text, masked) => {
  expect(maskNumbers(Buffer.from(text)).toString()).toBe(masked);
});

it("leaves other bytes as they are", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xd0, 0x9f, 0x80]);
  expect(maskNumbers(bytes)).toEqual(bytes);
});
