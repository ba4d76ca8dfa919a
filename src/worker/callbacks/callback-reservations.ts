import type { CallbackOutbox } from "../../app/callbacks/callback-outbox.ts";
import type { Id } from "../../core/ids.ts";
import type { NewCallback } from "../../store/callbacks/callbacks.ts";
import { chainName, type TakenCallback } from "./callback-chain.ts";
import { type EndpointState, releasePlace, reservePlace, takesFromMemory } from "./callback-endpoint.ts";
import type { Endpoints } from "./callback-endpoints.ts";
import { HELD_MAX, PROJECT_HELD_MAX } from "./callback-shares.ts";

export type OutboxDeps = {
  readonly endpoints: Endpoints;
  readonly leaseS: number;
  readonly nowMs: () => number;
  readonly isClosed: () => boolean;
  readonly add: (callbacks: readonly TakenCallback[]) => void;
  /** `stop` waits for this, too. */
  readonly track: (work: Promise<unknown>) => void;
};

/** Keeps places for callbacks that a transaction of this process is about to write, within the bounds of what is held here. */
export function openOutbox(deps: OutboxDeps): CallbackOutbox {
  const { endpoints, leaseS } = deps;

  /** Of a payment and URL all that follow one that is not chosen are not chosen either: they would wait for it. */
  function choose(callbacks: readonly NewCallback[]): Map<Id, EndpointState> {
    const chosen = new Map<Id, EndpointState>();
    const left = new Set<string>();
    const held = endpoints.heldByProject();
    let heldByAll = [...held.values()].reduce((sum, count) => sum + count, 0);
    for (const callback of callbacks) {
      const state = endpoints.of(callback);
      const ofProject = held.get(callback.projectId) ?? 0;
      const hasRoom = heldByAll < HELD_MAX && ofProject < PROJECT_HELD_MAX && !left.has(chainName(callback));
      if (hasRoom && takesFromMemory(state, callback.url)) {
        chosen.set(callback.id, state);
        reservePlace(state);
        held.set(callback.projectId, ofProject + 1);
        heldByAll += 1;
      } else {
        left.add(chainName(callback));
        // Others do not overtake it from now on. The next look finds out whether something is left in the database.
        state.hasQueue = true;
      }
    }
    return chosen;
  }

  return {
    reserve: (callbacks) => {
      if (deps.isClosed()) return undefined;
      const takenAtMs = deps.nowMs();
      const chosen = choose(callbacks);
      if (chosen.size === 0) return undefined;
      let close = () => {};
      deps.track(
        new Promise<void>((resolve) => {
          close = resolve;
        }),
      );
      return {
        ids: new Set(chosen.keys()),
        leaseS,
        send: (committed) => deps.add(committed.map((callback) => ({ ...callback, takenAtMs }))),
        close: () => {
          for (const state of chosen.values()) releasePlace(state);
          close();
        },
      };
    },
  };
}
