import { expect, test } from "vitest";
import { listMethodOffers } from "../../core/merchants/methods.ts";
import { selectOffers } from "./method-changes.ts";

const offers = listMethodOffers();

test("one method in one direction and currency", () => {
  expect(selectOffers(["payout:card-p2p:KZT"])).toEqual([{ direction: "payout", method: "card-p2p", currency: "KZT" }]);
});

test("all of a direction, and all there are", () => {
  expect(selectOffers(["payin:all"])).toEqual(offers.filter((offer) => offer.direction === "payin"));
  expect(selectOffers(["payin:all", "payout:all"])).toHaveLength(offers.length);
  expect(selectOffers(["all"])).toEqual(offers);
});

test("a method that several selectors name is there once", () => {
  expect(selectOffers(["all", "payin:all", "payin:ussd:NGN"])).toEqual(offers);
});

test.each(["", "payin", "payin:", "in:all", "all:all", "payin:all:RUB:x", "payin:card-p2p", "payin:card-p2p:RUB:"])(
  "%j has no known form",
  (selector) => expect(() => selectOffers([selector])).toThrow("--method must be like payin:card-p2p:RUB"),
);

test("an unknown method is answered with the known ones", () => {
  expect(() => selectOffers(["payin:cash:RUB"])).toThrow('There is no method "cash". The methods are card-p2p, ');
  expect(() => selectOffers(["payin:all:RUB"])).toThrow('There is no method "all".');
});

test.each(["payin:ussd:RUB", "payout:ussd:NGN", "payin:ussd:ngn"])("%s is answered with what ussd has", (selector) => {
  expect(() => selectOffers([selector])).toThrow(`${selector} is not offered. ussd has these: payin:ussd:NGN.`);
});
