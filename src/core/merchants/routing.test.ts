import { describe, expect, it } from "vitest";
import { minor, RUB } from "../../testing/builders/projects.ts";
import type { Currency } from "../currency.ts";
import { BUILT_IN_PROVIDERS, type ProviderCatalog } from "../providers.ts";
import { orderEntries, type RouteEntry } from "./route-entry.ts";
import { parseRoute } from "./route-text.ts";
import { judgeRoute, listProviders, NOT_SAID, type RouteFacts, type RouteOrigin, reasonsFor } from "./routing.ts";

const row = { books: ["live"] as const, takesNew: true, serves: () => true };
const CATALOG: ProviderCatalog = new Map([
  ...BUILT_IN_PROVIDERS,
  ["acme", row],
  ["zenit", row],
  ["backup", row],
  ["retired", { ...row, takesNew: false }],
  ["testing", { ...row, books: ["test"] }],
]);

const NOWHERE: RouteOrigin = { country: null, bank: null };

function facts(change: Partial<RouteFacts> = {}, origin: RouteOrigin = NOWHERE): RouteFacts {
  const terms = { direction: "payin", method: "card-ecom", currency: RUB, amount: minor(1_000) } as const;
  return { ...terms, named: undefined, key: "order-1", origin: () => origin, ...change };
}

function entriesOf(text: string): readonly RouteEntry[] {
  const read = parseRoute(text);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

function projectWith(text: string) {
  const entries = entriesOf(text);
  const providers = entries.map(({ provider }) => provider);
  return { book: "live", routes: [{ direction: "payin", method: "card-ecom", providers, entries }] } as const;
}

describe("the providers that a payment asks", () => {
  const KZT = "KZT" as Currency;
  const BORDERS = "acme[amount>=500 amount<=1000],backup";
  const LISTS = "acme[currency=RUB country=RU|KZ bank=sberbank],backup";
  it.each([
    [BORDERS, facts({ amount: minor(499) }), ["backup"]],
    [BORDERS, facts({ amount: minor(500) }), ["acme", "backup"]],
    [BORDERS, facts({ amount: minor(1_000) }), ["acme", "backup"]],
    [BORDERS, facts({ amount: minor(1_001) }), ["backup"]],
    [LISTS, facts({}, { country: "KZ", bank: "sberbank" }), ["acme", "backup"]],
    [LISTS, facts({ currency: KZT }, { country: "KZ", bank: "sberbank" }), ["backup"]],
    [LISTS, facts({}, { country: "UZ", bank: "sberbank" }), ["backup"]],
    [LISTS, facts({}, { country: "RU", bank: null }), ["backup"]],
    [LISTS, facts({}, NOWHERE), ["backup"]],
    // The payer has not said it yet: it may hold.
    [LISTS, facts({}, NOT_SAID), ["acme", "backup"]],
    ["acme[amount<=5],zenit,acme", facts(), ["zenit", "acme"]],
    ["acme,zenit", facts({ named: "zenit" }), ["zenit"]],
    ["acme,retired,testing,zenit", facts(), ["acme", "zenit"]],
    ["acme[amount<=5]", facts(), []],
  ])("%s", (text, asked, providers) => {
    expect(listProviders(CATALOG, projectWith(text), asked)).toEqual(providers);
  });

  it("come from a plain list without a look at the payment", () => {
    const plain = {
      book: "live",
      routes: [{ direction: "payin", method: "card-ecom", providers: ["zenit", "acme"] }],
    } as const;
    const unread = facts({ origin: () => expect.fail("no condition asks for it") });
    expect(listProviders(CATALOG, plain, unread)).toEqual(["zenit", "acme"]);
    expect(listProviders(CATALOG, { book: "test", routes: [] }, unread)).toEqual(["sandbox"]);
    expect(listProviders(CATALOG, { book: "live", routes: [] }, unread)).toEqual([]);
  });
});

describe("providers that share", () => {
  const SHARED = entriesOf("acme*70+zenit*20+backup*10");
  const KEYS = Array.from({ length: 20_000 }, (_, index) => `order-${index}`);

  function countFirsts(entries: readonly RouteEntry[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const key of KEYS) {
      const first = orderEntries(entries, key)[0]?.provider ?? "";
      counts[first] = (counts[first] ?? 0) + 1;
    }
    return counts;
  }

  /** Of two degrees of freedom; one in a thousand fair draws is above 13.8. */
  function chiSquare(counts: Record<string, number>, entries: readonly RouteEntry[]): number {
    const weights = entries.reduce((sum, { weight }) => sum + weight, 0);
    return entries.reduce((sum, { provider, weight }) => {
      const wanted = (KEYS.length * weight) / weights;
      return sum + ((counts[provider] ?? 0) - wanted) ** 2 / wanted;
    }, 0);
  }

  it("are first as often as their weights say", () => {
    expect(chiSquare(countFirsts(SHARED), SHARED)).toBeLessThan(13.8);
    const equal = entriesOf("acme+zenit+backup");
    expect(chiSquare(countFirsts(equal), equal)).toBeLessThan(13.8);
    // The measure finds what is not shared so.
    expect(chiSquare(countFirsts(equal), SHARED)).toBeGreaterThan(1_000);
  });

  it("keep their order for a payment, also where one of them is gone", () => {
    for (const key of KEYS.slice(0, 500)) {
      const order = orderEntries(SHARED, key).map(({ provider }) => provider);
      expect(orderEntries(SHARED, key).map(({ provider }) => provider)).toEqual(order);
      const rest = orderEntries(
        SHARED.filter(({ provider }) => provider !== order[0]),
        key,
      );
      expect(rest.map(({ provider }) => provider)).toEqual(order.slice(1));
    }
  });

  it("come before those of the next rank, whatever the weights", () => {
    const entries = entriesOf("acme+zenit,backup");
    for (const key of KEYS.slice(0, 200)) expect(orderEntries(entries, key)[2]?.provider).toBe("backup");
  });
});

describe("why a payment takes a provider", () => {
  const free = () => undefined;

  it("is told of every entry, with what it shares", () => {
    const project = projectWith("acme*3[amount<=5]+zenit*3+backup*1,retired");
    const judged = judgeRoute(CATALOG, project, facts({ key: undefined }), free);
    expect(judged.map(({ entry, passed, sharedWeight }) => [entry.provider, passed, sharedWeight])).toEqual([
      ["acme", "the amount is above 5", undefined],
      ["zenit", undefined, 4],
      ["backup", undefined, 4],
      ["retired", "it was retired", undefined],
    ]);
  });

  it.each([
    ["acme,zenit", undefined, "acme", [["acme", "taken"]]],
    [
      "acme[country=RU],zenit",
      undefined,
      "zenit",
      [
        ["acme", "the country is not known"],
        ["zenit", "taken"],
      ],
    ],
    [
      "acme,zenit",
      "acme",
      "zenit",
      [
        ["acme", "it is paused"],
        ["zenit", "taken"],
      ],
    ],
    ["acme*9+zenit", "zenit", "acme", expect.arrayContaining([["acme", "taken"]])],
    // A card that was accepted before the pause.
    [
      "acme[amount<=5000]",
      "acme",
      "acme",
      [
        ["acme", "it is paused"],
        ["acme", "taken, although none was free"],
      ],
    ],
  ])("%s with %s paused: %s", (text, paused, taken, reasons) => {
    const findObstacle = (provider: string) => (provider === paused ? "it is paused" : undefined);
    expect(reasonsFor(CATALOG, projectWith(text), facts(), findObstacle, taken)).toEqual(reasons);
  });

  it("is not told of the first provider of a plain route", () => {
    const routes = [{ direction: "payin", method: "card-ecom", providers: ["acme", "zenit"] }] as const;
    const project = { book: "live", routes } as const;
    expect(reasonsFor(CATALOG, project, facts(), free, "acme")).toBeNull();
    const isPaused = (provider: string) => (provider === "acme" ? "it is paused" : undefined);
    expect(reasonsFor(CATALOG, project, facts(), isPaused, "zenit")).toEqual([
      ["acme", "it is paused"],
      ["zenit", "taken"],
    ]);
  });
});
