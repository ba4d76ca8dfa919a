import { expect, it } from "vitest";
import type { CardAcquirer } from "../card-acquirer.ts";
import type { Connector, ConnectorHealth } from "../connector.ts";
import type { Currency } from "../currency.ts";
import { findNoProviderFault } from "./provider-rules.ts";

const CARD = { direction: "payin", method: "card-ecom", currency: "RUB" as Currency } as const;
const P2P = { ...CARD, method: "card-p2p" } as const;
const PAYOUT = { ...CARD, direction: "payout" } as const;
const KIND = "card-ecom payins in RUB";

function situation(admits: ConnectorHealth["admits"], ...paused: string[]) {
  const health = { admits, mayAsk: () => true, callsMax: 1 };
  const connector = { code: "acme", offers: () => true, cards: {} as CardAcquirer, health } as unknown as Connector;
  const findConnector = (code: string) => (code === "acme" ? connector : undefined);
  return { findConnector, pausedProviders: new Set(paused), key: "order-1" };
}

const answers = situation(() => true);
const silent = situation(() => false);
const paused = situation(() => true, "acme");
const both = situation(() => false, "acme");

it.each([
  ["a provider that answers takes a card", CARD, answers, undefined],
  [
    "one that does not answer",
    CARD,
    silent,
    `the provider for ${KIND} does not answer now, and a card cannot wait for it`,
  ],
  ["one that is paused", CARD, paused, `the provider for ${KIND} is paused, and a card cannot wait for it`],
  [
    "one that is paused and does not answer",
    CARD,
    both,
    `the provider for ${KIND} is paused, and a card cannot wait for it`,
  ],
  ["a transfer waits", P2P, both, undefined],
  ["a payout waits", PAYOUT, both, undefined],
])("%s", (_, offer, found, description) => {
  const fault = description === undefined ? undefined : { code: "no_provider", description };
  expect(findNoProviderFault(["acme"], offer, found)).toEqual(fault);
  const nobody = `this project has no provider that takes ${offer.method} ${offer.direction}s in RUB`;
  expect(findNoProviderFault(["other"], offer, found)).toEqual({ code: "no_provider", description: nobody });
});

it("the payment is let through by its name", () => {
  expect(
    findNoProviderFault(
      ["acme"],
      CARD,
      situation((key) => key === "order-1"),
    ),
  ).toBeUndefined();
});
