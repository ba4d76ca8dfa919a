import type { Connector } from "../connector.ts";
import { type Fault, fault } from "../errors.ts";
import type { MethodOffer } from "../merchants/methods.ts";
import { kindOf } from "./kinds.ts";

/** Which providers this process can speak to, and which of them an operator has paused. */
export type ProviderSituation = {
  readonly findConnector: (code: string) => Connector | undefined;
  readonly pausedProviders: ReadonlySet<string>;
  /** The payment's name: see `ConnectorHealth`. */
  readonly key?: string | undefined;
  /** Leaves out whether providers answered of late. */
  readonly ignoresHealth?: true;
};

/** A card is charged by an acquirer; for everything else the connector's own word counts. */
export function canServe(connector: Connector, { direction, method, currency }: MethodOffer): boolean {
  const needsAcquirer = kindOf({ direction, method }) === "card";
  return connector.offers(direction, method, currency) && (!needsAcquirer || connector.cards !== undefined);
}

/**
 * Whether one of the providers can take such a payment. P2P pay-ins and payouts wait for a provider that is paused or does
 * not answer. A card cannot wait, because its CVV is held in memory for seconds only.
 */
export function hasProvider(providers: readonly string[], offer: MethodOffer, situation: ProviderSituation): boolean {
  const waits = kindOf(offer) !== "card";
  return providers.some((code) => {
    const connector = situation.findConnector(code);
    if (connector === undefined || !canServe(connector, offer)) return false;
    return waits || (!situation.pausedProviders.has(code) && isAdmitted(connector, situation));
  });
}

function isAdmitted({ health }: Connector, { key, ignoresHealth }: ProviderSituation): boolean {
  return ignoresHealth === true || health === undefined || health.admits(key);
}

/** Why a payment is refused at create, before anything of it is stored; undefined where a provider can take it. */
export function findNoProviderFault(
  providers: readonly string[],
  offer: MethodOffer,
  situation: ProviderSituation,
): Fault | undefined {
  if (hasProvider(providers, offer, situation)) return undefined;
  const kind = `${offer.method} ${offer.direction}s in ${offer.currency}`;
  if (hasProvider(providers, offer, { ...situation, ignoresHealth: true })) {
    return noProvider(`the provider for ${kind} does not answer now, and a card cannot wait for it`);
  }
  return hasProvider(providers, offer, { ...situation, pausedProviders: NONE_PAUSED, ignoresHealth: true })
    ? noProvider(`the provider for ${kind} is paused, and a card cannot wait for it`)
    : noProvider(`this project has no provider that takes ${kind}`);
}

export function noProvider(description: string): Fault {
  return fault("no_provider", description);
}

const NONE_PAUSED: ReadonlySet<string> = new Set();
