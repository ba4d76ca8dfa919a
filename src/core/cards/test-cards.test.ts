import { expect, it } from "vitest";
import { passesLuhn } from "./luhn.ts";
import { findTestCardBehaviour, listTestCards, TEST_CARDS } from "./test-cards.ts";

it.each([
  ["approved", ["4242424242424242", "5555555555554444", "2202208311110010"]],
  ["three_ds_2", ["4000000000003220", "2200111753579001"]],
  ["three_ds_1", ["4111111111111111"]],
  ["declined", ["4000000000000002"]],
  ["insufficient_funds", ["4000000000009995"]],
  ["card_expired", ["4000000000000069"]],
  ["processing_error", ["4000000000000119"]],
  ["answers_late", ["4100401111100062"]],
])("%s: %j", (behaviour, pans) => {
  expect(TEST_CARDS.filter((pan) => findTestCardBehaviour(pan) === behaviour)).toEqual(pans);
});

it.each(TEST_CARDS)("%s passes the Luhn check, so it is not refused as mistyped", (pan) => {
  expect(passesLuhn(pan)).toBe(true);
});

it("are listed for test projects alone", () => {
  expect(listTestCards("test").map(({ pan }) => pan)).toEqual(TEST_CARDS);
  expect(listTestCards("test")[3]).toEqual({ pan: "4000000000003220", does: "three_ds_2" });
  expect(listTestCards("live")).toEqual([]);
});

it("knows no other card", () => {
  expect(TEST_CARDS).toHaveLength(11);
  expect(findTestCardBehaviour("2200000000000004")).toBeUndefined();
});
