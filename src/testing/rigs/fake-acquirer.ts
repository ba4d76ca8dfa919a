import type { CardAcquirer, ChargeOutcome, ChargeState } from "../../core/card-acquirer.ts";

/** What it answers next; a test may change each at any time. */
export type FakeCharges = {
  charge: () => Promise<ChargeOutcome> | ChargeOutcome;
  state: (reference: string) => Promise<ChargeState> | ChargeState;
};

/** An acquirer that answers as a test tells it to, and that can neither reverse nor cancel a charge. */
export function aFakeAcquirer(answers: Partial<FakeCharges>): CardAcquirer & { readonly answers: FakeCharges } {
  const given: FakeCharges = { charge: () => ({ kind: "pending" }), state: () => ({ kind: "pending" }), ...answers };
  return {
    answers: given,
    needsHolder: false,
    charge: async () => given.charge(),
    passAuthentication: async () => ({ kind: "pending" }),
    askChargeState: async (reference) => given.state(reference),
  };
}
