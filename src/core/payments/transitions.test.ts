import { describe, expect, it } from "vitest";
import { nextPayinState, P2P_PAYIN_EVENTS, P2P_PAYIN_TRANSITIONS } from "./payin-transitions.ts";
import { nextPayoutState, PAYOUT_EVENTS, PAYOUT_TRANSITIONS } from "./payout-transitions.ts";
import { isFinal, type P2pPayinState, type PayoutState, wireStatus } from "./states.ts";

/**
 * Every cell, written out a second time as a picture: rows are states, columns the events in the order of their list.
 * `.` is a refusal, `=` keeps the state, other letters name the state that follows.
 */
const PAYIN_LETTERS: Record<string, P2pPayinState> = {
  R: "processing:requisites",
  A: "processing:awaiting_confirm",
  P: "processing:paid",
  N: "dispute:no_payment",
  D: "dispute:different_amount",
  T: "dispute:confirm_timeout",
  S: "success",
  X: "decline",
};

//                             ch cc su is la rr no co ca ex gr ti re ro nr rf pd le os od ct
// biome-ignore format: a picture
const PAYIN_PICTURE: Record<P2pPayinState, string> = {
  "processing:new":              "R  =  R  .  .  .  .  .  X  X  .  .  .  .  .  .  .  .  .  .  .",
  "processing:requisites":       ".  .  =  A  X  =  X  .  X  X  .  .  S  D  P  .  .  .  .  .  .",
  "processing:awaiting_confirm": ".  .  .  .  .  .  .  P  X  N  .  .  S  D  P  .  X  .  .  .  .",
  "processing:paid":             ".  .  .  .  .  .  .  =  .  .  .  T  S  D  =  S  T  .  S  X  =",
  "dispute:no_payment":          ".  .  .  .  .  .  .  P  .  .  X  .  S  D  P  .  X  .  .  .  .",
  "dispute:confirm_timeout":     ".  .  .  .  .  .  .  =  .  .  .  .  S  D  P  .  .  .  S  X  .",
  "dispute:different_amount":    ".  .  .  .  .  .  .  =  .  .  .  .  S  =  P  .  .  .  S  X  =",
  success:                       ".  .  .  .  .  .  .  =  .  .  .  .  =  =  .  .  .  .  .  .  =",
  decline:                       ".  .  .  .  .  .  .  .  =  .  .  .  =  =  .  .  .  .  .  .  =",
};

const PAYOUT_LETTERS: Record<string, PayoutState> = {
  P: "processing:payout_process",
  F: "dispute:payout_failed",
  T: "dispute:payout_timeout",
  I: "dispute:incorrect_requisites",
  S: "success",
  X: "decline",
};

//                              cl ap dr de ml rw to oc os od ct
// biome-ignore format: a picture
const PAYOUT_PICTURE: Record<PayoutState, string> = {
  "processing:new":               "P  .  .  .  .  .  .  X  .  .  .",
  "processing:payout_process":    ".  S  =  X  F  I  T  .  .  .  .",
  "dispute:payout_failed":        ".  S  .  X  .  .  .  .  S  X  .",
  "dispute:payout_timeout":       ".  S  .  X  .  .  .  .  S  X  .",
  "dispute:incorrect_requisites": ".  S  .  X  .  .  .  .  S  X  .",
  success:                        ".  =  .  .  .  .  .  .  .  .  =",
  decline:                        ".  =  .  .  .  .  .  .  .  .  .",
};

function cellsOf<S extends string, E extends string>(
  picture: Record<S, string>,
  events: readonly E[],
  letters: Record<string, S>,
): [state: S, event: E, next: S | undefined][] {
  return (Object.entries(picture) as [S, string][]).flatMap(([state, row]) => {
    const cells = row.split(/ +/);
    expect(cells).toHaveLength(events.length);
    return events.map((event, index): [S, E, S | undefined] => {
      const cell = cells[index] ?? "?";
      return [state, event, cell === "." ? undefined : cell === "=" ? state : letters[cell]];
    });
  });
}

const payinCells = cellsOf(PAYIN_PICTURE, P2P_PAYIN_EVENTS, PAYIN_LETTERS);
const payoutCells = cellsOf(PAYOUT_PICTURE, PAYOUT_EVENTS, PAYOUT_LETTERS);

describe("a pay-in by P2P", () => {
  it.each(payinCells)("%s, %s → %s", (state, event, next) => {
    expect(nextPayinState(state, event, { confirmed: false })).toBe(next);
  });

  it("has all its states in the picture", () => {
    expect(Object.keys(PAYIN_PICTURE).sort()).toEqual(Object.keys(P2P_PAYIN_TRANSITIONS).sort());
  });

  it("declined after a confirm takes the confirm again, and changes nothing", () => {
    expect(nextPayinState("decline", "confirmed", { confirmed: true })).toBe("decline");
  });
});

describe("a payout", () => {
  it.each(payoutCells)("%s, %s → %s", (state, event, next) => {
    expect(nextPayoutState(state, event)).toBe(next);
  });

  it("has all its states in the picture", () => {
    expect(Object.keys(PAYOUT_PICTURE).sort()).toEqual(Object.keys(PAYOUT_TRANSITIONS).sort());
  });
});

it("a final state never changes", () => {
  for (const [state, , next] of [...payinCells, ...payoutCells]) {
    if (isFinal(state) && next !== undefined) expect(next).toBe(state);
  }
});

it("states show on the wire as status and sub_status", () => {
  expect(wireStatus("processing:awaiting_confirm")).toEqual({ status: "processing", sub_status: "awaiting_confirm" });
  expect(wireStatus("success")).toEqual({ status: "success", sub_status: null });
});
