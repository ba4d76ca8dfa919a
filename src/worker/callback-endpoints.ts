import { CLOSED_BREAKER } from "../core/callback/breaker.ts";
import type { Endpoint } from "../store/callback-queue.ts";
import { type EndpointState, heldCount, isIdle, newEndpointState } from "./callback-endpoint.ts";

/** All endpoints that this process knows of. Merchants may name a new one with every payment, so none is kept for ever. */
export type Endpoints = {
  /** As it is known; a new one where it is not. */
  readonly of: (endpoint: Endpoint) => EndpointState;
  readonly list: () => EndpointState[];
  readonly heldByProject: () => Map<string, number>;
  /** Forgets those that nothing waits for, neither here nor in the database. */
  readonly keepOnly: (waiting: readonly Endpoint[]) => void;
  /** Whatever was learned of a project's endpoints no longer counts. */
  readonly forgive: (projectId: string) => void;
};

export function openEndpoints(): Endpoints {
  const states = new Map<string, EndpointState>();
  const nameOf = ({ projectId, origin }: Endpoint) => `${projectId} ${origin}`;

  return {
    of: (endpoint) => {
      const known = states.get(nameOf(endpoint));
      if (known !== undefined) return known;
      const made = newEndpointState(endpoint);
      states.set(nameOf(endpoint), made);
      return made;
    },
    list: () => [...states.values()],
    heldByProject: () => {
      const held = new Map<string, number>();
      for (const state of states.values()) {
        const { projectId } = state.endpoint;
        held.set(projectId, (held.get(projectId) ?? 0) + heldCount(state));
      }
      return held;
    },
    keepOnly: (waiting) => {
      const names = new Set(waiting.map(nameOf));
      for (const [name, state] of states) if (isIdle(state) && !names.has(name)) states.delete(name);
    },
    forgive: (projectId) => {
      for (const state of states.values()) {
        if (state.endpoint.projectId === projectId) state.breaker = CLOSED_BREAKER;
      }
    },
  };
}
