import { allowance, type Breaker, CLOSED_BREAKER } from "../../core/callbacks/breaker.ts";
import type { Endpoint } from "../../store/callbacks/callback-queue.ts";
import { addToChain, type Chain, chainName, newChain, type TakenCallback } from "./callback-chain.ts";

/** What this process knows of one endpoint: what waits for it here, what is under way, and how well it works. */
export type EndpointState = {
  readonly endpoint: Endpoint;
  /** Those that wait for their turn to be sent. */
  readonly queue: Chain[];
  /**
   * Those of the queue and those under way, by name, until their results are written: what comes later for the same
   * payment joins them.
   */
  readonly chains: Map<string, Chain>;
  /** How many callbacks of the chains wait. */
  waitingCount: number;
  /** How many are being sent. */
  inFlight: number;
  /** How many come from transactions of this process that are not committed yet. */
  reservedCount: number;
  /** More is due in the database than could be taken, as far as is known: what comes now queues behind it. */
  hasQueue: boolean;
  /**
   * What chains that ended have settled, by name, while something is reserved: it may have been written to wait for these,
   * a moment before they were settled.
   */
  readonly settledLately: Map<string, Set<number>>;
  breaker: Breaker;
  /** How long its answers take lately. Of one that has not answered yet the worst is expected. */
  answerMs: number;
  /** URLs that said they are gone, and when: what was taken before then does not know it. */
  readonly goneAtMs: Map<string, number>;
};

/** So many at once to one endpoint: one that hangs holds no more than this. */
export const ENDPOINT_IN_FLIGHT_MAX = 32;
/** So many are taken from the database for one that works, so that it never waits for the next batch. */
const ENDPOINT_TAKEN_MAX = 256;
/** No more is taken for one than it answers in this time, since what is taken here is of no use to other processes. */
const TAKEN_FOR_MS = 2_000;
const WORST_ANSWER_MS = 10_000;
/** How much the last answer counts among those before it. */
const ANSWER_WEIGHT = 0.2;

export function newEndpointState({ projectId, origin }: Endpoint): EndpointState {
  return {
    endpoint: { projectId, origin },
    queue: [],
    chains: new Map(),
    waitingCount: 0,
    inFlight: 0,
    reservedCount: 0,
    hasQueue: false,
    settledLately: new Map(),
    breaker: CLOSED_BREAKER,
    answerMs: WORST_ANSWER_MS,
    goneAtMs: new Map(),
  };
}

export function isIdle({ chains, reservedCount }: EndpointState): boolean {
  return chains.size === 0 && reservedCount === 0;
}

/** Each chain that is not in the queue has one callback under way. */
export function heldCount({ chains, queue, waitingCount, reservedCount }: EndpointState): number {
  return chains.size - queue.length + waitingCount + reservedCount;
}

/** How many callbacks may be taken for it now: none while more than half of what is taken ahead is still there. */
export function wantedCount(state: EndpointState, nowMs: number): number {
  const ahead = Math.min(ENDPOINT_TAKEN_MAX - ENDPOINT_IN_FLIGHT_MAX, answeredAhead(state));
  if (state.waitingCount > ahead / 2) return 0;
  return allowance(state.breaker, Math.max(0, ENDPOINT_IN_FLIGHT_MAX + ahead - heldCount(state)), nowMs);
}

/** How many more it answers in the time that callbacks may be held here. */
function answeredAhead({ answerMs }: EndpointState): number {
  return Math.floor(TAKEN_FOR_MS / Math.max(1, answerMs)) * ENDPOINT_IN_FLIGHT_MAX;
}

/**
 * True where a callback to that URL may be sent from memory as soon as it is committed: its endpoint works, nothing older waits
 * in the database, and there is room.
 */
export function takesFromMemory(state: EndpointState, url: string): boolean {
  if (state.hasQueue || state.breaker.openUntilMs !== undefined || state.goneAtMs.has(url)) return false;
  return heldCount(state) < ENDPOINT_IN_FLIGHT_MAX + answeredAhead(state);
}

export function noteAnswerMs(state: EndpointState, latencyMs: number): void {
  state.answerMs += (latencyMs - state.answerMs) * ANSWER_WEIGHT;
}

/** True while the next chain of its queue may be sent. */
export function maySend(state: EndpointState, nowMs: number): boolean {
  const free = ENDPOINT_IN_FLIGHT_MAX - state.inFlight;
  return state.queue.length > 0 && allowance(state.breaker, Math.max(0, free), nowMs) > 0;
}

/** It joins the chain of its payment and URL, or begins one. */
export function enqueue(state: EndpointState, callback: TakenCallback): void {
  const name = chainName(callback);
  const known = state.chains.get(name);
  const chain = known ?? newChain(name, state.settledLately.get(name));
  addToChain(chain, callback);
  state.waitingCount += 1;
  if (known !== undefined) return;
  state.chains.set(name, chain);
  state.queue.push(chain);
}

/** The next one to be sent, of the first chain of the queue. The chain is out of the queue until it is under way no more. */
export function dequeue(state: EndpointState): { readonly chain: Chain; readonly callback: TakenCallback } {
  const chain = state.queue.shift();
  const callback = chain?.waiting.shift();
  if (chain === undefined || callback === undefined) throw new Error("a chain without callbacks is in no queue");
  state.waitingCount -= 1;
  return { chain, callback };
}

/** Its callback is written: the next one of the chain queues, if there is one. */
export function passOn(state: EndpointState, chain: Chain): void {
  if (chain.waiting.length > 0) {
    state.queue.push(chain);
    return;
  }
  state.chains.delete(chain.name);
  if (state.reservedCount > 0 && chain.settled.size > 0) state.settledLately.set(chain.name, chain.settled);
}

/** All that wait in the queue, which is empty then. */
export function emptyQueue(state: EndpointState): TakenCallback[] {
  const chains = state.queue.splice(0);
  for (const { name } of chains) state.chains.delete(name);
  const callbacks = chains.flatMap(({ waiting }) => waiting.splice(0));
  state.waitingCount -= callbacks.length;
  return callbacks;
}

export function reservePlace(state: EndpointState): void {
  state.reservedCount += 1;
}

export function releasePlace(state: EndpointState): void {
  state.reservedCount -= 1;
  if (state.reservedCount === 0) state.settledLately.clear();
}

/** A receiver said that a URL is gone, and it is being written down: whatever is here for it is not sent. */
export function beginGone({ goneAtMs }: EndpointState, url: string): void {
  goneAtMs.set(url, Number.POSITIVE_INFINITY);
}

/** It is written: the database now tells the next reader. What was so long ago that nothing here is older is forgotten. */
export function endGone({ goneAtMs }: EndpointState, url: string, nowMs: number, keptMs: number): void {
  goneAtMs.set(url, nowMs);
  for (const [known, atMs] of goneAtMs) if (atMs < nowMs - keptMs) goneAtMs.delete(known);
}

export function isGone({ goneAtMs }: EndpointState, { disabled, url, takenAtMs }: TakenCallback): boolean {
  return disabled || takenAtMs <= (goneAtMs.get(url) ?? Number.NEGATIVE_INFINITY);
}

/** When it should be checked again without new events; undefined: when something here ends. */
export function findProbeAtMs({ breaker }: EndpointState): number | undefined {
  return breaker.probing ? undefined : breaker.openUntilMs;
}
