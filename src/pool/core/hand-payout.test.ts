import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { findLeavingObstacle, listPayoutCodes, payoutCodeOf } from "./hand-payout.ts";

it("a code is found in whatever a bank makes of it", () => {
  const code = payoutCodeOf(newId());
  const digits = code.slice(3);
  for (const text of [code, code.toLowerCase(), `transfer ${code}, no VAT`, `TG ${digits}`, `tg${digits}`, `(${code})`])
    expect(listPayoutCodes(text)).toEqual([code]);
  expect(listPayoutCodes(`${code} ${code.toLowerCase()}`)).toEqual([code]);
  for (const text of ["", digits, `X${code}`, `${code}0`, `${code}Ж`, "TG-12345", `TG--${digits}`])
    expect(listPayoutCodes(text)).toEqual([]);
});

const AT = new Date(0);

it.each([
  ["approved", "success", "r", null, "completed"],
  ["approved", "decline", "r", AT, "completed"],
  [null, "processing:payout_process", "r", null, undefined],
  ["declined", "processing:payout_process", "r", null, undefined],
  ["may_have_left", "dispute:payout_failed", "r", null, undefined],
  ["declined", "processing:payout_process", "of another", null, "elsewhere"],
  ["declined", "dispute:payout_timeout", "of another", null, "elsewhere"],
  ["declined", "success", "of another", null, "paid_otherwise"],
  [null, "success", "r", null, "paid_otherwise"],
  ["declined", "decline", "of another", null, undefined],
  ["declined", "decline", "r", AT, "paid_otherwise"],
] as const)("%s and %s by %s", (outcome, state, reference, shortfallAt, obstacle) => {
  expect(findLeavingObstacle({ reference: "r", outcome }, { state, reference, shortfallAt })).toBe(obstacle);
});
