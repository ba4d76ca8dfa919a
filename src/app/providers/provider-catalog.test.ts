import { expect, it } from "vitest";
import type { ConfiguredProvider } from "../../store/providers/providers.ts";
import { catalogOf } from "./provider-catalog.ts";

function aRow(code: string, changes: Partial<ConfiguredProvider> = {}): ConfiguredProvider {
  const row = { kind: "upstream", book: "live", baseUrl: "https://b.example", settings: {} } as const;
  return { code, ...row, createdAt: new Date(0), retiredAt: null, ...changes };
}

it("has those of the program and those that are configured, each with its book", () => {
  const catalog = catalogOf([aRow("old", { retiredAt: new Date(1) }), aRow("test-b", { book: "test" }), aRow("b")]);
  const rows = [...catalog].map(([code, { books, takesNew }]) => [code, ...books, takesNew]);
  expect(rows).toEqual([
    ["sandbox", "test", true],
    ["pool", "test", "live", true],
    ["old", "live", false],
    ["test-b", "test", true],
    ["b", "live", true],
  ]);
});

it("knows what a provider serves by its settings", () => {
  const catalog = catalogOf([aRow("b", { settings: { serves: ["payin:card-p2p"] } }), aRow("c")]);
  const servesAll = (code: string) => catalog.get(code)?.serves("payout", "card-p2p");
  expect([servesAll("b"), servesAll("c")]).toEqual([false, true]);
  expect(catalog.get("b")?.serves("payin", "card-p2p")).toBe(true);
});
