import type { CardAcquirer } from "../../core/card-acquirer.ts";
import type { Connector } from "../../core/connector.ts";
import type { CallResult } from "../../core/provider-window.ts";
import { UPSTREAM_DEFAULTS } from "../../core/upstream-settings.ts";
import type { ProviderHealth, WatchedHealth } from "./health-window.ts";

/**
 * The same connector, whose answers are watched and whose calls are limited. One that finds no place is not made, and its
 * result is unknown: the provider is asked later, and has never seen it.
 *
 * Only for providers that an operator configured. The sandbox is silent where a tester wants it to be, and the pool is this
 * database.
 */
export function watchConnector<C extends Connector>(
  connector: C,
  health: ProviderHealth,
  callsMax: number = UPSTREAM_DEFAULTS.callsMax,
): C {
  const watched = health.of(connector.code, callsMax);
  const { begins, asks } = callsThrough(watched);
  const { freePlace, cards } = connector;
  return {
    ...connector,
    health: watched,
    askForRequisites: (request) => begins(() => connector.askForRequisites(request)),
    sendPayout: (request) => begins(() => connector.sendPayout(request)),
    reportConfirm: (reference) => asks(() => connector.reportConfirm(reference)),
    releaseRequisites: (reference) => asks(() => connector.releaseRequisites(reference)),
    askPayinState: (reference) => asks(() => connector.askPayinState(reference)),
    askPayoutState: (reference) => asks(() => connector.askPayoutState(reference)),
    ...(freePlace && { freePlace: (reference: string) => asks(() => freePlace(reference)) }),
    ...(cards && { cards: watchCards(cards, watched) }),
  };
}

function watchCards(cards: CardAcquirer, watched: WatchedHealth): CardAcquirer {
  const { begins, asks } = callsThrough(watched);
  const { reverse, cancel } = cards;
  return {
    ...cards,
    charge: (request) => begins(() => cards.charge(request)),
    passAuthentication: (reference, result) => asks(() => cards.passAuthentication(reference, result)),
    askChargeState: (reference) => asks(() => cards.askChargeState(reference)),
    ...(reverse && { reverse: (reference: string) => asks(() => reverse(reference)) }),
    ...(cancel && { cancel: (reference: string) => asks(() => cancel(reference)) }),
  };
}

type Answer = { readonly kind: string };
const UNKNOWN = { kind: "unknown" } as const;
const REFUSALS: ReadonlySet<string> = new Set(["none", "declined", "conflict"]);

function callsThrough({ watch }: WatchedHealth) {
  return {
    begins: async <A extends Answer>(call: () => Promise<A>): Promise<A | typeof UNKNOWN> =>
      (await watch(true, call, ({ kind }) => (REFUSALS.has(kind) ? "refused" : resultOf(kind)))) ?? UNKNOWN,
    /** The state of a payment is an answer to who asks for it, also where the payment was refused. */
    asks: async <A extends Answer>(call: () => Promise<A>): Promise<A | typeof UNKNOWN> =>
      (await watch(false, call, ({ kind }) => resultOf(kind))) ?? UNKNOWN,
  };
}

function resultOf(kind: string): CallResult {
  return kind === "unknown" ? "lost" : "answered";
}
