import { expect, it } from "vitest";
import { describeState } from "./descriptions.ts";

it("a payer's own cancel is not told as the merchant's", () => {
  expect(describeState("decline", "cancelled", "p2p", "payer")).toBe("Cancelled by the payer.");
  expect(describeState("decline", "cancelled", "p2p", "merchant")).toBe("Cancelled by the merchant.");
});

it.each([
  ["decline", "cancelled", "p2p", "Cancelled by the merchant."],
  ["decline", "cancelled", "card", "The payer turned back."],
  ["decline", "operator", "card", "Declined by an operator."],
  ["dispute:confirm_timeout", null, "p2p", "The payer confirmed, and no transfer was found; an operator will look."],
  [
    "dispute:confirm_timeout",
    null,
    "card",
    "The provider did not say in time what became of the charge; an operator will look.",
  ],
  ["success", null, "card", null],
  ["processing:paid", null, "card", null],
] as const)("%s %s of a %s: %s", (state, declineCode, kind, words) => {
  expect(describeState(state, declineCode, kind)).toBe(words);
});
