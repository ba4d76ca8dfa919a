import type { Clock } from "../../platform/clock.ts";

/** Remembers texts for a while, and only so many: the oldest is forgotten first. */
export type Memory = {
  readonly add: (text: string) => void;
  readonly has: (text: string) => boolean;
};

export function openMemory(clock: Clock, { keptMs, textsMax }: { keptMs: number; textsMax: number }): Memory {
  const addedAtMs = new Map<string, number>();

  /** A clock that was put back must not prolong anything, hence the lower bound. */
  function isFresh(atMs: number): boolean {
    const ageMs = clock.nowMs() - atMs;
    return ageMs >= 0 && ageMs < keptMs;
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
