import { describe, expect, it } from "vitest";
import { CARD_PAYIN_EVENTS, CARD_PAYIN_TRANSITIONS, nextCardState } from "../cards/card-transitions.ts";
import { type CardHappening, decideCard } from "../cards/decide-card.ts";
import type { Minor } from "../money.ts";
import { decidePayin, type PayinHappening } from "../payments/decide-payin.ts";
import { nextPayinState, P2P_PAYIN_EVENTS, P2P_PAYIN_TRANSITIONS } from "../payments/payin-transitions.ts";
import type { CardPayinState, P2pPayinState } from "../payments/states.ts";
import { CHANCE_TAKES_S, chancesLeft, presentChoice } from "./second-chance.ts";

const amount = 5_000n as Minor;
const terms = {
  requestedAmount: amount,
  amount,
  receivedAmount: 0n as Minor,
  rates: { basisPoints: 250, fixed: 0n as Minor },
};

/** All cells that give a second chance, written out a second time; every other cell is what it is without one. */
const P2P_CELLS = new Set([
  "processing:requisites no_requisites",
  "processing:awaiting_confirm provider_declined",
  "processing:awaiting_confirm left",
]);
const CARD_CELLS = new Set(
  [
    "processing:new",
    "processing:awaiting_3ds_result",
    "processing:awaiting_redirect_result",
    "processing:paid",
  ].flatMap((state) => [`${state} declined`, `${state} never_seen`]),
);

const MONEY = { amount, clearing: "clearing:sandbox" } as const;

describe("a payer who may choose again", () => {
  const p2p = (Object.keys(P2P_PAYIN_TRANSITIONS) as P2pPayinState[]).flatMap((state) =>
    P2P_PAYIN_EVENTS.filter((event) => !event.startsWith("received")).map((event) => [state, event] as const),
  );
  it.each(p2p)("by transfer, %s, %s", (state, event) => {
    const decided = decidePayin({ ...terms, state, confirmed: false, mayChooseAgain: true }, {
      kind: event,
      ...MONEY,
    } as PayinHappening);
    const after = decided.kind === "accepted" ? decided.payin.state : undefined;
    const chance = P2P_CELLS.has(`${state} ${event}`);
    // Only what waits for room finds it.
    const usual = event === "room_found" ? undefined : nextPayinState(state, event, { confirmed: false });
    expect(after).toBe(chance ? "processing:new" : usual);
    expect(decided.kind === "accepted" && decided.endsChoice).toBe(chance);
    if (chance && decided.kind === "accepted") {
      expect(decided.movements).toEqual([]);
      expect(decided.declineCode).toMatch(/^(no_requisites|provider_declined|cancelled)$/);
    }
  });

  const cards = (Object.keys(CARD_PAYIN_TRANSITIONS) as CardPayinState[]).flatMap((state) =>
    CARD_PAYIN_EVENTS.filter((event) => !event.startsWith("approved")).map((event) => [state, event] as const),
  );
  it.each(cards)("by card, %s, %s", (state, event) => {
    const facts = { ...terms, state, sent: event !== "sent", reversed: false, mayChooseAgain: true };
    const decided = decideCard(facts, { kind: event, reason: "card_declined", ...MONEY } as CardHappening);
    const after = decided.kind === "accepted" ? decided.payin.state : undefined;
    const chance = CARD_CELLS.has(`${state} ${event}`);
    const usual = ["room_found", "reversed"].includes(event) ? undefined : nextCardState(state, event);
    expect(after).toBe(chance ? "processing:new" : usual);
    expect(decided.kind === "accepted" && decided.endsChoice).toBe(chance);
  });

  it("was charged: a decline does not make it forget the money", () => {
    const charged = {
      ...terms,
      receivedAmount: amount,
      state: "processing:paid",
      sent: true,
      reversed: false,
    } as const;
    for (const kind of ["never_seen", "declined"] as const) {
      const decided = decideCard({ ...charged, mayChooseAgain: true }, { kind, reason: "other" } as CardHappening);
      expect(decided).toEqual({ kind: "refused" });
    }
  });
});

describe("the chances that are left", () => {
  const now = Date.parse("2026-11-16T10:00:00Z");
  const inS = (seconds: number) => new Date(now + seconds * 1000);
  it.each([
    ["widget", 1, CHANCE_TAKES_S, 5, 4],
    ["widget", 4, 600, 5, 1],
    ["widget", 5, 600, 5, 0],
    ["widget", 1, 600, 1, 0],
    ["widget", 3, 600, 2, 0],
    ["widget", 1, CHANCE_TAKES_S - 1, 5, 0],
    ["widget", null, 600, 5, 0],
    ["ecom", null, 600, 5, 0],
    ["p2p", null, 600, 5, 0],
  ])("%s, choice %s, %s s left, of %s: %s", (product, choiceCount, seconds, attempts, left) => {
    expect(chancesLeft({ product, choiceCount, expiresAt: inS(seconds) }, attempts, now)).toBe(left);
  });

  it("no choice runs before the payer has chosen, and after it has ended", () => {
    expect(presentChoice({ method: null, choiceCount: null })).toBe(0);
    expect(presentChoice({ method: null, choiceCount: 2 })).toBe(0);
    expect(presentChoice({ method: "card-ecom", choiceCount: 2 })).toBe(2);
    expect(presentChoice({ method: "card-ecom", choiceCount: null })).toBe(0);
  });
});
