import { allowance, type Breaker, CLOSED_BREAKER } from "../core/callback/breaker.ts";
import type { ClaimedCallback, Endpoint } from "../store/callback-queue.ts";

/** Callbacks of one payment to one URL, which go one after another. */
export type Chain = readonly ClaimedCallback[];

/** What this process knows of one endpoint: what waits for it here, what is under way, and whether it works. */
export type EndpointState = {
  readonly endpoint: Endpoint;
  readonly queue: Chain[];
  inFlight: number;
  breaker: Breaker;
};

/** So many at once to one endpoint: one that hangs holds no more than this. */
export const ENDPOINT_IN_FLIGHT_MAX = 32;
/** So many are taken from the database for one that works, so that it never waits for the next batch. */
const ENDPOINT_TAKEN_MAX = 256;

export function newEndpointState(endpoint: Endpoint): EndpointState {
  return { endpoint, queue: [], inFlight: 0, breaker: CLOSED_BREAKER };
}

/** How many callbacks may be taken for it now. One that failed lately gets no more than it can use at once. */
export function wantedCount(state: EndpointState, nowMs: number): number {
  const { breaker, queue, inFlight } = state;
  const held = queue.length + inFlight;
  const max = breaker.failures === 0 ? ENDPOINT_TAKEN_MAX : ENDPOINT_IN_FLIGHT_MAX;
  return allowance(breaker, Math.max(0, max - held), nowMs);
}

/** True while the next chain of its queue may be sent. */
export function maySend(state: EndpointState, nowMs: number): boolean {
  const free = ENDPOINT_IN_FLIGHT_MAX - state.inFlight;
  return state.queue.length > 0 && allowance(state.breaker, Math.max(0, free), nowMs) > 0;
}

/** What was claimed together, by payment and URL, each in the order of its sequence. */
export function chainsOf(callbacks: readonly ClaimedCallback[]): Chain[] {
  const chains = new Map<string, ClaimedCallback[]>();
  for (const callback of callbacks) {
    const name = `${callback.requestId} ${callback.url}`;
    const chain = chains.get(name);
    if (chain === undefined) chains.set(name, [callback]);
    else chain.push(callback);
  }
  return [...chains.values()].map((chain) => chain.sort((a, b) => a.sequence - b.sequence));
}
