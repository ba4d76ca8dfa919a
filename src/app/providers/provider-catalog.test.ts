import { expect, it } from "vitest";
import { listProviders } from "../../core/merchants/routing.ts";
import type { ConfiguredProvider } from "../../store/providers/providers.ts";
import { catalogOf } from "./provider-catalog.ts";

function aRow(code: string, changes: Partial<ConfiguredProvider> = {}): ConfiguredProvider {
  const row = { kind: "upstream", book: "live", baseUrl: "https://b.example", settings: {} } as const;
  return { code, ...row, createdAt: new Date(0), retiredAt: null, ...changes };
}

const ROUTE = { direction: "payin", method: "card-p2p", providers: ["old", "test-b", "b"] } as const;
const PROJECT = { book: "live", routes: [ROUTE] } as const;

it("gives new payments to no provider that is retired or of the other book", () => {
  const catalog = catalogOf([aRow("old", { retiredAt: new Date(1) }), aRow("test-b", { book: "test" }), aRow("b")]);
  expect(listProviders(catalog, PROJECT, "payin", "card-p2p", undefined)).toEqual(["b"]);
  expect(listProviders(catalog, PROJECT, "payin", "card-p2p", "old")).toEqual([]);
});

it("knows what a provider serves by its settings", () => {
  const catalog = catalogOf([aRow("b", { settings: { serves: ["payin:card-p2p"] } }), aRow("c")]);
  const servesAll = (code: string) => catalog.get(code)?.serves("payout", "card-p2p");
  expect([servesAll("b"), servesAll("c")]).toEqual([false, true]);
  expect(catalog.get("b")?.serves("payin", "card-p2p")).toBe(true);
});
