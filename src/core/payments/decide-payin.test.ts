import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Minor } from "../money.ts";
import { decidePayin, type PayinHappening } from "./decide-payin.ts";
import type { Movement, Payin } from "./payin.ts";
import { isFinal, type P2pPayinState } from "./states.ts";

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
const CLEARING = "clearing:sandbox" as const;

function aPayin(change: Partial<Payin> = {}): Payin {
  return {
    state: "processing:awaiting_confirm",
    requestedAmount: minor(1000),
    amount: minor(1000),
    receivedAmount: minor(0),
    rates: { basisPoints: 250, fixed: minor(0) },
    confirmed: false,
    ...change,
  };
}

function received(amount: number): PayinHappening {
  return { kind: "received", amount: minor(amount), clearing: CLEARING };
}

function accepted(payin: Payin, happening: PayinHappening) {
  const decision = decidePayin(payin, happening);
  if (decision.kind === "refused") throw new Error("refused");
  return decision;
}

function lines(movements: readonly Movement[]): string[] {
  return movements.map(({ from, to, amount, kind }) => `${from} → ${to} ${amount} ${kind}`);
}

describe("money that arrives", () => {
  it("in full goes to the merchant, less our fee", () => {
    const { payin, movements, changed } = accepted(aPayin(), received(1000));
    expect(payin).toMatchObject({ state: "success", receivedAmount: 1000n, amount: 1000n });
    expect(lines(movements)).toEqual([`${CLEARING} → available 975 settle`, `${CLEARING} → fees 25 fee`]);
    expect(changed).toBe(true);
  });

  it("in another sum waits in suspense, and the rest of it completes the payment", () => {
    const first = accepted(aPayin(), received(400));
    expect(first.payin).toMatchObject({ state: "dispute:different_amount", receivedAmount: 400n, amount: 1000n });
    expect(lines(first.movements)).toEqual([`${CLEARING} → suspense 400 suspend`]);
    const second = accepted(first.payin, received(100));
    expect(second).toMatchObject({
      changed: false,
      payin: { state: "dispute:different_amount", receivedAmount: 500n },
    });
    const third = accepted(second.payin, received(500));
    expect(third.payin).toMatchObject({ state: "success", receivedAmount: 1000n, amount: 1000n });
    expect(lines(third.movements)).toEqual([
      `${CLEARING} → suspense 500 suspend`,
      "suspense → available 975 settle",
      "suspense → fees 25 fee",
    ]);
  });

  it.each(["success", "decline"] as const)("after %s goes to suspense and changes nothing else", (state) => {
    const { payin, movements, changed } = accepted(aPayin({ state }), received(1000));
    expect([payin.state, changed]).toEqual([state, false]);
    expect(lines(movements)).toEqual([`${CLEARING} → suspense 1000 suspend`]);
  });
});

describe("an operator", () => {
  const settled: PayinHappening = { kind: "operator_settled", clearing: "clearing:manual" };

  it("settles for what arrived, with the fee of that sum", () => {
    const dispute = aPayin({ state: "dispute:different_amount", receivedAmount: minor(1100) });
    const { payin, movements } = accepted(dispute, settled);
    expect(payin).toMatchObject({ state: "success", amount: 1100n, receivedAmount: 1100n, requestedAmount: 1000n });
    expect(lines(movements)).toEqual(["suspense → available 1072 settle", "suspense → fees 28 fee"]);
  });

  it("settles what was never seen by recording the requested sum", () => {
    const { payin, movements } = accepted(aPayin({ state: "dispute:confirm_timeout" }), settled);
    expect(payin).toMatchObject({ state: "success", receivedAmount: 1000n });
    expect(lines(movements)).toEqual(["clearing:manual → available 975 settle", "clearing:manual → fees 25 fee"]);
  });

  it("declines, and leaves what arrived in suspense", () => {
    const dispute = aPayin({ state: "dispute:different_amount", receivedAmount: minor(400) });
    const { payin, movements, declineCode } = accepted(dispute, { kind: "operator_declined" });
    expect([payin.state, declineCode, movements]).toEqual(["decline", "operator", []]);
  });

  it("may not settle what the payer can still pay", () => {
    expect(decidePayin(aPayin(), settled)).toEqual({ kind: "refused" });
  });
});

it.each([
  ["processing:new", { kind: "cancelled" }, "cancelled"],
  ["processing:requisites", { kind: "no_requisites" }, "no_requisites"],
  ["processing:requisites", { kind: "expired" }, "expired"],
  ["dispute:no_payment", { kind: "grace_over" }, "expired"],
  ["processing:awaiting_confirm", { kind: "provider_declined" }, "provider_declined"],
] as const)("%s, %o declines with its code", (state, happening, code) => {
  expect(accepted(aPayin({ state }), happening)).toMatchObject({
    payin: { state: "decline" },
    declineCode: code,
    movements: [],
  });
});

it("a fee that reaches what arrived is capped at it", () => {
  const dear = aPayin({
    state: "dispute:different_amount",
    receivedAmount: minor(5),
    rates: { basisPoints: 0, fixed: minor(10) },
  });
  const { movements } = accepted(dear, { kind: "operator_settled", clearing: CLEARING });
  expect(lines(movements)).toEqual(["suspense → fees 5 fee"]);
});

/** Whatever happens in whatever order, money is neither made nor lost, and a final state stays. */
it("every sum that arrives stands in exactly one place", () => {
  const happening: fc.Arbitrary<PayinHappening> = fc.oneof(
    fc.constantFrom(1, 400, 600, 1000, 1100).map(received),
    fc.constantFrom<PayinHappening>(
      { kind: "submitted" },
      { kind: "requisites_issued" },
      { kind: "confirmed" },
      { kind: "cancelled" },
      { kind: "expired" },
      { kind: "grace_over" },
      { kind: "confirm_timed_out" },
      { kind: "provider_declined" },
      { kind: "operator_declined" },
      { kind: "operator_settled", clearing: "clearing:manual" },
    ),
  );
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 25 }), fc.nat(10_000), (happenings, basisPoints) => {
      let payin = aPayin({ state: "processing:new", rates: { basisPoints, fixed: minor(0) } });
      let final: P2pPayinState | undefined;
      const accounts: Record<string, bigint> = {};
      for (const each of happenings) {
        const decision = decidePayin(payin, each);
        if (decision.kind === "refused") continue;
        payin = decision.payin;
        for (const { from, to, amount } of decision.movements) {
          expect(amount > 0n).toBe(true);
          accounts[from] = (accounts[from] ?? 0n) - amount;
          accounts[to] = (accounts[to] ?? 0n) + amount;
        }
        if (final !== undefined) expect(payin.state).toBe(final);
        if (isFinal(payin.state)) final = payin.state;
        const { available = 0n, fees = 0n, suspense = 0n } = accounts;
        expect(available + fees + suspense).toBe(payin.receivedAmount);
        expect(suspense >= 0n && available >= 0n && fees >= 0n).toBe(true);
        expect(available + fees).toBe(final === "success" ? payin.amount : 0n);
      }
    }),
    { numRuns: 5_000 },
  );
});
