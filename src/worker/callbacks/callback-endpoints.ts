import { CLOSED_BREAKER } from "../../core/callbacks/breaker.ts";
import { groupBy } from "../../core/group-by.ts";
import type { Endpoint } from "../../store/callbacks/callback-queue.ts";
import { type EndpointState, heldCount, isIdle, newEndpointState } from "./callback-endpoint.ts";

/** All endpoints that this process knows. Merchants may name a new one with every payment, so idle ones are dropped. */
export type Endpoints = {
  /** As it is known; a new one where it is not. */
  readonly of: (endpoint: Endpoint) => EndpointState;
  readonly list: () => EndpointState[];
  readonly heldByProject: () => Map<string, number>;
  /**
   * Forgets those that nothing waits for, neither here nor in the database. Of a crowded project not all that waits is known:
   * of its other endpoints the latest are remembered.
   */
  readonly keepOnly: (waiting: readonly Endpoint[], crowded?: ReadonlySet<string>) => void;
  /** Remembers where more is due than a look could take. Answers whether that is anywhere so. */
  readonly noteQueues: (look: TakingLook) => boolean;
  /** Whatever was learned of a project's endpoints no longer counts. */
  readonly forgive: (projectId: string) => void;
};

/** What a look found due, what was asked for, and what was taken of it. */
type TakingLook = {
  readonly due: readonly Endpoint[];
  readonly wanted: readonly (Endpoint & { readonly countMax: number })[];
  readonly claimed: readonly Endpoint[];
  /** Projects of which not all endpoints were looked at. */
  readonly crowded: ReadonlySet<string>;
};

/** Of a crowded project. What is forgotten is learned again: its breaker begins closed, and callbacks are sent to it again. */
export const REMEMBERED_MAX = 1_024;

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
    keepOnly: (waiting, crowded = new Set()) => {
      const names = new Set(waiting.map(nameOf));
      const rest = [...states].filter(([name, state]) => isIdle(state) && !names.has(name));
      const [ofCrowded, ofOthers] = [true, false].map((wanted) =>
        rest.filter(([, { endpoint }]) => crowded.has(endpoint.projectId) === wanted),
      ) as [typeof rest, typeof rest];
      for (const [name] of ofOthers) states.delete(name);
      const byProject = groupBy(ofCrowded, ([, { endpoint }]) => endpoint.projectId);
      for (const known of byProject.values()) {
        for (const [name] of known.slice(0, Math.max(0, known.length - REMEMBERED_MAX))) states.delete(name);
      }
    },
    noteQueues: ({ due, wanted, claimed, crowded }) => {
      const claimedBy = groupBy(claimed, nameOf);
      // Where fewer were taken than asked for, there were no more.
      const emptied = new Set(
        wanted.map(nameOf).filter((name, index) => (claimedBy.get(name)?.length ?? 0) < (wanted[index]?.countMax ?? 0)),
      );
      const left = new Set(due.map(nameOf).filter((name) => !emptied.has(name)));
      for (const [name, state] of states) {
        if (left.has(name)) state.hasQueue = true;
        else if (emptied.has(name) || !crowded.has(state.endpoint.projectId)) state.hasQueue = false;
      }
      return left.size > 0;
    },
    forgive: (projectId) => {
      for (const state of states.values()) {
        if (state.endpoint.projectId === projectId) state.breaker = CLOSED_BREAKER;
      }
    },
  };
}
