import type { ClaimedCallback } from "../../store/callbacks/callback-queue.ts";

/** A callback that this process has taken, and when: its lease began no earlier. */
export type TakenCallback = ClaimedCallback & { readonly takenAtMs: number };

/** Callbacks of one payment to one URL that this process has taken. They go one after another, in their order. */
export type Chain = {
  readonly name: string;
  readonly waiting: TakenCallback[];
  /** The sequences of those that were delivered or given up since the chain began. */
  readonly settled: Set<number>;
};

export function chainName({ requestId, url }: Pick<ClaimedCallback, "requestId" | "url">): string {
  return `${requestId} ${url}`;
}

export function newChain(name: string, settled: Set<number> = new Set()): Chain {
  return { name, waiting: [], settled };
}

/** Those that are taken while the chain is under way come along, each where it belongs. */
export function addToChain({ waiting }: Chain, callback: TakenCallback): void {
  const later = waiting.findIndex(({ sequence }) => sequence > callback.sequence);
  waiting.splice(later === -1 ? waiting.length : later, 0, callback);
}

/** Everything that it waited for when it was taken has been settled by this chain since. */
export function isItsTurn({ settled }: Chain, { waitsFor, goesAhead }: TakenCallback): boolean {
  return goesAhead || waitsFor.every((sequence) => settled.has(sequence));
}
