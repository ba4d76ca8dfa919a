import { describe, expect, it } from "vitest";
import type { Minor } from "../money.ts";
import { decidePayout, type Payout } from "./decide-payout.ts";
import { PAYOUT_EVENTS, type PayoutEvent } from "./payout-transitions.ts";
import type { PayoutState } from "./states.ts";

const CLEARING = "clearing:sandbox" as const;
const minor = (amount: number) => BigInt(amount) as Minor;

function decide(state: PayoutState, kind: PayoutEvent, fee = 10, change: Partial<Payout> = {}) {
  const base = { state, amount: minor(1000), fee: minor(fee), asked: true, paidElsewhere: false, short: false };
  const payout: Payout = { ...base, ...change };
  const decision = decidePayout(payout, { kind, clearing: CLEARING });
  if (decision.kind === "refused") return "refused";
  const movements = decision.movements.map(({ from, to, amount }) => `${from} → ${to} ${amount}`);
  return { state: decision.payout.state, hold: decision.closeHold, code: decision.declineCode, movements };
}

const CAPTURED = [`locked → ${CLEARING} 1000`, "locked → fees 10"];
const RELEASED = ["locked → available 1010"];

describe("a payout", () => {
  it.each([
    "processing:payout_process",
    "dispute:payout_failed",
    "dispute:payout_timeout",
    "dispute:incorrect_requisites",
  ] as const)("approved in %s is captured", (state) => {
    expect(decide(state, "approved")).toEqual({
      state: "success",
      hold: "captured",
      code: undefined,
      movements: CAPTURED,
    });
  });

  it("without a fee is captured whole", () => {
    expect(decide("processing:payout_process", "approved", 0)).toMatchObject({
      movements: [`locked → ${CLEARING} 1000`],
    });
  });

  it("certainly declined gives back amount and fee", () => {
    const expected = { state: "decline", hold: "released", code: "provider_declined", movements: RELEASED };
    expect(decide("processing:payout_process", "declined")).toEqual(expected);
    expect(decide("dispute:payout_failed", "declined")).toEqual(expected);
  });

  it("settled or declined by an operator does the same as the provider's word", () => {
    expect(decide("dispute:payout_timeout", "operator_settled")).toMatchObject({
      state: "success",
      movements: CAPTURED,
    });
    expect(decide("dispute:payout_timeout", "operator_declined")).toMatchObject({
      code: "operator",
      movements: RELEASED,
    });
    expect(decide("processing:new", "operator_cancelled")).toMatchObject({ state: "decline", movements: RELEASED });
  });

  it("that no provider was asked to pay is not declined by one", () => {
    const declined = { state: "decline", hold: "released", movements: RELEASED };
    const decline = (asked: boolean) => decide("processing:payout_process", "declined", 10, { asked });
    expect([decline(true), decline(false)]).toEqual([
      { ...declined, code: "provider_declined" },
      { ...declined, code: "no_provider" },
    ]);
  });

  it("keeps its money locked in every dispute and on every route", () => {
    for (const event of ["claimed", "declined_on_route", "may_have_left", "receiver_wrong", "timed_out"] as const) {
      const state = event === "claimed" ? "processing:new" : "processing:payout_process";
      expect(decide(state, event)).toMatchObject({ hold: undefined, movements: [] });
    }
  });

  it("that left after it was declined stands against shortfall, and stays declined", () => {
    const expected = {
      state: "decline",
      hold: undefined,
      code: undefined,
      movements: [`shortfall → ${CLEARING} 1000`],
    };
    expect(decide("decline", "approved")).toEqual(expected);
  });

  it("that was settled as paid another way, and that its provider paid too, stands against shortfall, once", () => {
    const paid = { state: "success", hold: undefined, code: undefined } as const;
    const shortfall = [`shortfall → ${CLEARING} 1000`];
    expect(decide("success", "approved", 10, { paidElsewhere: true })).toEqual({ ...paid, movements: shortfall });
    const again = { paidElsewhere: true, short: true };
    expect(decide("success", "approved", 10, again)).toEqual({ ...paid, movements: [] });
  });

  it("that its provider paid moves no money again, whatever is said", () => {
    for (const event of PAYOUT_EVENTS) {
      const decision = decide("success", event);
      if (decision !== "refused") expect(decision).toMatchObject({ state: "success", movements: [] });
    }
  });
});
