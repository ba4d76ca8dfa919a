import type { Currency } from "../currency.ts";
import type { Minor } from "../money.ts";

/** One provider of a route, and which payments it is asked for. */
export type RouteEntry = {
  readonly provider: string;
  /** Lower ranks are asked first. The entries of one rank share the payments by weight. */
  readonly rank: number;
  readonly weight: number;
  /** Undefined: every payment. */
  readonly when: RouteCondition | undefined;
};

/** Everything that is named must hold; of a list one is enough. */
export type RouteCondition = {
  readonly minAmount?: Minor;
  readonly maxAmount?: Minor;
  readonly currencies?: readonly Currency[];
  /** Where the card was issued. */
  readonly countries?: readonly string[];
  /** The bank that issued the card, or that the payer or the receiver has. */
  readonly banks?: readonly string[];
};

export const ROUTE_ENTRIES_MAX = 20;
export const ROUTE_WEIGHT_MAX = 1_000;

/** The entries of a route that is only a list of providers, asked in this order. */
export function entriesInOrder(providers: readonly string[]): RouteEntry[] {
  return providers.map((provider, index) => ({ provider, rank: index + 1, weight: 1, when: undefined }));
}

/** Whether the order of its providers is all that it says. */
export function isPlainRoute(entries: readonly RouteEntry[]): boolean {
  return entries.every(({ rank, when }, index) => rank === index + 1 && when === undefined);
}

/**
 * The entries in the order in which a payment asks them. Within a rank each entry draws a number from the payment's key and
 * its provider, and a greater weight makes an early place likelier: over many payments each is first as often as its weight
 * says. A payment always gets the same order, and a provider that is passed over leaves the order of the others as it is.
 */
export function orderEntries(entries: readonly RouteEntry[], key: string | undefined): readonly RouteEntry[] {
  if (key === undefined) return entries;
  return entries
    .map((entry) => ({ entry, drawn: -Math.log(fractionOf(`${key} ${entry.provider}`)) / entry.weight }))
    .sort((one, other) => one.entry.rank - other.entry.rank || one.drawn - other.drawn)
    .map(({ entry }) => entry);
}

/** A number between 0 and 1, the same for the same text: FNV-1a, whose bits are then mixed as MurmurHash3 does. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}
