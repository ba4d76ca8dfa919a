import { expect, it } from "vitest";
import { isChargeUnderWay } from "./charge-under-way.ts";
import type { PageStep } from "./page-step.ts";

it.each<[PageStep, byCard: boolean, byTransfer: boolean]>([
  ["choose", false, false],
  ["prepare", true, false],
  ["transfer", false, false],
  ["overdue", false, false],
  ["challenge", true, false],
  ["check", true, false],
  ["attention", false, false],
  ["success", false, false],
  ["decline", false, false],
])("at %s a card is being charged: %s; by a transfer: %s", (step, byCard, byTransfer) => {
  expect(isChargeUnderWay(step, "card-ecom")).toBe(byCard);
  expect(isChargeUnderWay(step, "card-p2p")).toBe(byTransfer);
  expect(isChargeUnderWay(step, null)).toBe(false);
});
