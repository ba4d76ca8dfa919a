import type { Connection } from "./connection.ts";
import { type Lane, openLane } from "./lane.ts";
import type { EgressLimits } from "./limits.ts";
import type { Target } from "./target.ts";

/** The lanes of all owners and origins. An origin whose addresses changed gets a new one, and the old one is let go. */
export type Lanes = {
  readonly find: (owner: string, target: Target, addresses: readonly string[]) => Lane;
  readonly close: () => Promise<void>;
};

export type LanesOptions = {
  readonly connect: (target: Target, addresses: readonly string[], onDisconnect: () => void) => Connection;
  readonly limits: EgressLimits;
};

type Entry = { readonly lane: Lane; readonly addresses: readonly string[] };

export function openLanes({ connect, limits }: LanesOptions): Lanes {
  const current = new Map<string, Entry>();
  /** Those that are let go too, until their last connection ends. */
  const open = new Set<Lane>();

  function add(name: string, target: Target, addresses: readonly string[]): Lane {
    const lane = openLane({
      connect: (onDisconnect) => connect(target, addresses, onDisconnect),
      connectionsMax: limits.connectionsPerOriginMax,
      waitTimeoutMs: limits.freeConnectionTimeoutMs,
      onEmpty: () => {
        open.delete(lane);
        if (current.get(name)?.lane === lane) current.delete(name);
      },
    });
    open.add(lane);
    current.set(name, { lane, addresses });
    return lane;
  }

  return {
    find: (owner, target, addresses) => {
      const name = `${owner} ${target.origin}`;
      const known = current.get(name);
      if (known !== undefined && areSame(known.addresses, addresses)) return known.lane;
      known?.lane.retire();
      return add(name, target, addresses);
    },
    close: async () => {
      await Promise.all([...open].map((lane) => lane.close()));
    },
  };
}

/** Name servers like to shuffle their answers; the order makes no difference. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some === others || (some.length === others.length && new Set([...some, ...others]).size === some.length);
}
