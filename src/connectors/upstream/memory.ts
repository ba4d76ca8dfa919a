import type { Clock } from "../../platform/clock.ts";

/** Remembers texts for a while, and only so many: the oldest is forgotten first. */
export type Memory = {
  readonly add: (text: string) => void;
  readonly has: (text: string) => boolean;
};

/** References under which something may have been done, and how many calls are under way for each. */
export type CreateMemory = { readonly touched: Memory; readonly underWay: Map<string, number> };

/**
 * What outlives a connector that is replaced because its settings or keys changed. A refusal is only certain where no call under the
 * same reference may still be on its way, whichever connector sent it; and a callback that was taken is not taken again.
 */
export type UpstreamMemory = { readonly creates: CreateMemory; readonly callbacks: Memory };

export function openMemory(clock: Clock, { keptMs, textsMax }: { keptMs: number; textsMax: number }): Memory {
  const addedAtMs = new Map<string, number>();

  /** After the clock was put back it is remembered longer: to forget too soon could pay twice. */
  function isFresh(atMs: number): boolean {
    return clock.nowMs() - atMs < keptMs;
  }

  /** The oldest come first in the map, so forgetting stops at the first fresh one. */
  function forgetOld(): void {
    for (const [text, atMs] of addedAtMs) {
      if (isFresh(atMs) && addedAtMs.size <= textsMax) return;
      addedAtMs.delete(text);
    }
  }

  return {
    add: (text) => {
      addedAtMs.delete(text);
      addedAtMs.set(text, clock.nowMs());
      forgetOld();
    },
    has: (text) => {
      const atMs = addedAtMs.get(text);
      return atMs !== undefined && isFresh(atMs);
    },
  };
}
