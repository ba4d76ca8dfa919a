import { expect, it } from "vitest";
import { describeConformance } from "../../src/connectors/conformance.ts";
import { useAcmeWorld } from "./acme-world.ts";
import { toPayinState, toPayoutOutcome, toRequisitesAnswer, toSubject } from "./translate.ts";

describeConformance("example", useAcmeWorld());

it("does not know a word that Acme Pay did not have before, not even one that every object has", () => {
  for (const state of ["reviewing", "constructor", "Paid", ""]) {
    const withdrawal = { reference: "r", state, amount: 5, currency: "RUB" };
    expect(toPayoutOutcome(withdrawal)).toEqual({ kind: "unknown" });
    expect(toPayinState({ reference: "r", state, credits: [] })).toEqual({ kind: "unknown" });
    expect(toRequisitesAnswer({ reference: "r", state, credits: [] })).toEqual({ kind: "unknown" });
    expect(toSubject({ object: state, reference: "r" })).toBeUndefined();
  }
});

it("reports what Acme Pay keeps of a payout for itself", () => {
  const paid = { reference: "r", state: "paid", amount: 5_000, currency: "RUB", fee: 150 };
  expect(toPayoutOutcome(paid)).toEqual({ kind: "approved", fee: 150n });
});
