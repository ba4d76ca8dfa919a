import { describe, expect, it } from "vitest";
import { CARD_PAYIN_TRANSITIONS } from "../cards/card-transitions.ts";
import { P2P_PAYIN_TRANSITIONS } from "../payments/payin-transitions.ts";
import { PAYOUT_TRANSITIONS } from "../payments/payout-transitions.ts";
import { type ActedOn, actionsOn, DESK_ACTIONS } from "./desk-actions.ts";

const STATES = {
  transfer: Object.keys(P2P_PAYIN_TRANSITIONS),
  card: Object.keys(CARD_PAYIN_TRANSITIONS),
  payout: Object.keys(PAYOUT_TRANSITIONS),
};
const KNOWN = { isKnownOutside: true, hasRequisites: true, hasReceived: false, isContradicted: false, hasEnd: true };

const cells = Object.entries(STATES).flatMap(([kind, states]) =>
  states.map((state) => ({ ...KNOWN, kind, state }) as ActedOn),
);

describe("what the outside world can do", () => {
  it("has a use for every action", () => {
    const received = cells.map((cell) => ({ ...cell, hasReceived: true }));
    expect([...new Set(received.flatMap(actionsOn))].sort()).toEqual([...DESK_ACTIONS].sort());
  });

  it("is nothing before the outside world was asked, and before the payer knows where to pay to", () => {
    for (const cell of cells) {
      expect(actionsOn({ ...cell, isKnownOutside: false })).toEqual([]);
      if (cell.kind === "transfer") expect(actionsOn({ ...cell, hasRequisites: false, hasReceived: true })).toEqual([]);
    }
  });

  it("takes money back that has arrived, and once", () => {
    for (const cell of cells) {
      const back = (changed: Partial<ActedOn>) =>
        actionsOn({ ...cell, ...changed }).filter((action) => ["take_back", "reverse", "return"].includes(action));
      expect(back({ hasReceived: true, isContradicted: true })).toEqual([]);
      expect(back({ hasReceived: true }).includes("take_back")).toBe(cell.kind === "transfer");
      expect(back({}).includes("take_back")).toBe(false);
    }
  });

  it("lets no time pass where none is waited for", () => {
    for (const cell of cells)
      expect(actionsOn({ ...cell, hasEnd: false })).toEqual(
        actionsOn(cell).filter((action) => !["arrive_late", "never", "time_out"].includes(action)),
      );
  });
});
