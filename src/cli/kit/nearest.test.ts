import { expect, test } from "vitest";
import { findNearest, suggestion } from "./nearest.ts";

const NAMES = ["payin", "payout", "payment list", "call", "callback list", "start"];

test.each([
  ["payn", "payin"],
  ["pyain", "payin"],
  ["strat", "start"],
  ["callback lst", "callback list"],
  ["PAYIN", undefined],
  ["help", undefined],
  ["go", undefined],
  ["", undefined],
  ["x".repeat(100_000), undefined],
])("%j is near to %j", (word, nearest) => expect(findNearest(word, NAMES)).toBe(nearest));

test("a suggestion is the end of a sentence, or nothing", () => {
  expect(suggestion("paypot", NAMES)).toBe(" Did you mean payout?");
  expect(suggestion("nonsense", NAMES)).toBe("");
});
