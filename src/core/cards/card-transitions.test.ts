import { expect, it } from "vitest";
import { type CardPayinState, isFinal } from "../payments/states.ts";
import { CARD_PAYIN_EVENTS, CARD_PAYIN_TRANSITIONS, nextCardState } from "./card-transitions.ts";

/**
 * Every cell, written out a second time as a picture: rows are states, columns the events in the order of their list.
 * `.` is a refusal, `=` keeps the state, other letters name the state that follows.
 */
const LETTERS: Record<string, CardPayinState> = {
  C: "processing:awaiting_3ds_result",
  R: "processing:awaiting_redirect_result",
  P: "processing:paid",
  D: "dispute:different_amount",
  T: "dispute:confirm_timeout",
  S: "success",
  X: "decline",
};

//                                      se ch rd rp ae ao an ro de ns ex ti rv os od ct
// biome-ignore format: a picture
const PICTURE: Record<CardPayinState, string> = {
  "processing:new":                      "=  C  R  .  S  D  P  .  X  X  X  T  .  .  .  .",
  "processing:awaiting_3ds_result":      ".  .  .  P  S  D  P  .  X  X  X  T  .  .  .  .",
  "processing:awaiting_redirect_result": ".  .  .  P  S  D  P  .  X  X  X  T  .  .  .  .",
  "processing:paid":                     ".  .  .  .  S  D  =  S  X  X  .  T  .  .  .  .",
  "dispute:confirm_timeout":             ".  .  .  .  S  D  P  .  X  X  .  .  .  S  X  .",
  "dispute:different_amount":            ".  .  .  .  .  .  .  .  .  .  .  .  .  S  X  =",
  success:                               ".  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =",
  decline:                               ".  .  .  .  =  =  .  .  .  .  .  .  =  .  .  .",
};

const cells = (Object.entries(PICTURE) as [CardPayinState, string][]).flatMap(([state, row]) => {
  const marks = row.split(/ +/);
  expect(marks).toHaveLength(CARD_PAYIN_EVENTS.length);
  return CARD_PAYIN_EVENTS.map((event, index) => {
    const mark = marks[index] ?? "?";
    const next = mark === "." ? undefined : mark === "=" ? state : LETTERS[mark];
    return [state, event, next] as const;
  });
});

it.each(cells)("a pay-in by card, %s, %s → %s", (state, event, next) => {
  expect(nextCardState(state, event)).toBe(next);
});

it("has all its states in the picture", () => {
  expect(Object.keys(PICTURE).sort()).toEqual(Object.keys(CARD_PAYIN_TRANSITIONS).sort());
});

it("a final state never changes", () => {
  for (const [state, event] of cells) {
    if (isFinal(state)) expect([state, undefined]).toContain(nextCardState(state, event));
  }
});
