import { expect, it } from "vitest";
import type { RoutedProject } from "../merchants/routing.ts";
import type { ProviderCatalog, ProviderRow } from "../providers.ts";
import { findCardFault } from "./card-rules.ts";
import { cardsTaken } from "./cards-taken.ts";

const LIVE: ProviderRow = { books: ["live"], takesNew: true, serves: () => true };
const CATALOG: ProviderCatalog = new Map([
  ["real", LIVE],
  ["rehearsal", { ...LIVE, takesTestCards: true }],
  ["other", { ...LIVE, takesTestCards: true }],
]);
const CARD_PAYIN = { direction: "payin", method: "card-ecom" } as const;

function takenOn(providers: readonly string[], named?: string, book: RoutedProject["book"] = "live") {
  return cardsTaken(CATALOG, { book, routes: [{ ...CARD_PAYIN, providers }] }, CARD_PAYIN, named);
}

it("a live project takes test cards only while every provider of the route rehearses", () => {
  expect(takenOn(["rehearsal"])).toBe("both");
  expect(takenOn(["rehearsal", "other"])).toBe("both");
  expect(takenOn(["rehearsal", "real"])).toBe("live");
  expect(takenOn(["real"])).toBe("live");
  expect(takenOn([])).toBe("live");
});

it("counts the one provider that the merchant named", () => {
  expect(takenOn(["rehearsal", "real"], "rehearsal")).toBe("both");
  expect(takenOn(["rehearsal", "real"], "real")).toBe("live");
});

it("a test project takes test cards, whatever its route", () => {
  expect(takenOn(["rehearsal"], undefined, "test")).toBe("test");
});

it("decides which card is refused", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const faultOf = (pan: string, taken: "test" | "live" | "both") =>
    findCardFault({ pan, cvv: "123", expiryMonth: 12, expiryYear: 2041 }, taken, now)?.code;
  const [testCard, realCard] = ["4242424242424242", "4012888888881881"];
  expect([faultOf(testCard, "test"), faultOf(testCard, "live"), faultOf(testCard, "both")]).toEqual([
    undefined,
    "test_card_on_live_project",
    undefined,
  ]);
  expect([faultOf(realCard, "test"), faultOf(realCard, "live"), faultOf(realCard, "both")]).toEqual([
    "card_invalid",
    undefined,
    undefined,
  ]);
});
