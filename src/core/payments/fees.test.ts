import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseCallbackUrl } from "../callbacks/callback-url.ts";
import { AMOUNT_MAX, type Minor } from "../money.ts";
import { feeOf, feeReachesAmount, payoutCost, splitPayin } from "./fees.ts";

const minor = (amount: number | bigint) => BigInt(amount) as Minor;
const rates = (basisPoints: number, fixed = 0) => ({ basisPoints, fixed: minor(fixed) });

it.each([
  [250_000, 250, 0, 6_250],
  [100, 250, 0, 3],
  [20, 250, 0, 1],
  [19, 250, 0, 0],
  [1, 10_000, 0, 1],
  [1_000, 0, 35, 35],
  [1_000, 150, 35, 50],
])("the fee of %i at %i basis points and %i fixed is %i", (amount, basisPoints, fixed, fee) => {
  expect(feeOf(minor(amount), rates(basisPoints, fixed))).toBe(minor(fee));
});

const anAmount = fc.bigInt({ min: 1n, max: AMOUNT_MAX }).map(minor);
const someRates = fc.record({ basisPoints: fc.nat(10_000), fixed: fc.bigInt({ min: 0n, max: AMOUNT_MAX }).map(minor) });

it("fee and net are always the sum, and neither is below zero", () => {
  fc.assert(
    fc.property(anAmount, someRates, (amount, each) => {
      const { fee, net } = splitPayin(amount, each);
      expect(fee + net).toBe(amount);
      expect(fee >= 0n && net >= 0n).toBe(true);
      expect(feeReachesAmount(amount, each)).toBe(net === 0n);
    }),
  );
});

it("rounds half up: never more than half a unit away from the exact share", () => {
  fc.assert(
    fc.property(anAmount, fc.nat(10_000), (amount, basisPoints) => {
      const twiceOff = 2n * (feeOf(amount, rates(basisPoints)) * 10_000n - amount * BigInt(basisPoints));
      expect(twiceOff > -10_000n && twiceOff <= 10_000n).toBe(true);
    }),
  );
});

it("a payout costs its sum and the fee, unless that is more than anybody can hold", () => {
  expect(payoutCost(minor(1_000), rates(100))).toEqual({ fee: minor(10), total: minor(1_010) });
  expect(payoutCost(AMOUNT_MAX, rates(0))).toEqual({ fee: minor(0), total: AMOUNT_MAX });
  expect(payoutCost(AMOUNT_MAX, rates(1))).toBeUndefined();
});

it("a callback takes the most particular address there is", () => {
  const none = { callbackUrl: null, successCallbackUrl: null, declineCallbackUrl: null };
  const request = { callbackUrl: "r", successCallbackUrl: "rs", declineCallbackUrl: null };
  const project = { callbackUrl: "p", successCallbackUrl: "ps", declineCallbackUrl: "pd" };
  expect(chooseCallbackUrl("success", request, project)).toBe("rs");
  expect(chooseCallbackUrl("success", none, project)).toBe("ps");
  expect(chooseCallbackUrl("decline", request, project)).toBe("pd");
  expect(chooseCallbackUrl("decline", request, none)).toBe("r");
  expect(chooseCallbackUrl("processing:paid", request, project)).toBe("r");
  expect(chooseCallbackUrl("processing:paid", none, project)).toBe("p");
  expect(chooseCallbackUrl("dispute:no_payment", none, none)).toBeNull();
});
