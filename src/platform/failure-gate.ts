import type { BucketSize, TokenBuckets } from "./token-buckets.ts";

/**
 * Limits failures by name without harming those who do not fail. A caller has one token while it is judged, and gets it
 * back if it did not fail. Where all tokens are with callers who are still being judged, the next ones wait for a verdict
 * instead of being refused: a hundred good calls at once must not turn the next hundred away.
 */
export type FailureGate = {
  /** Zero: come in, and `leave` later; otherwise the milliseconds until it makes sense to try again. */
  readonly enter: (name: string, size: BucketSize, nowMs: () => number) => Promise<number>;
  readonly leave: (name: string, size: BucketSize, verdict: "good" | "failed") => void;
};

/** More than that wait for one name only when somebody floods us. */
const WAITERS_MAX = 1_000;

type Queue = { judged: number; readonly waiters: (() => void)[] };

export function openFailureGate(buckets: TokenBuckets): FailureGate {
  const queues = new Map<string, Queue>();

  return {
    enter: async (name, size, nowMs) => {
      for (;;) {
        const waitMs = buckets.take(name, size, nowMs());
        const queue = queues.get(name) ?? { judged: 0, waiters: [] };
        if (waitMs === 0) {
          queue.judged += 1;
          queues.set(name, queue);
          return 0;
        }
        if (queue.judged === 0 || queue.waiters.length >= WAITERS_MAX) return waitMs;
        await new Promise<void>((resolve) => queue.waiters.push(resolve));
      }
    },
    leave: (name, size, verdict) => {
      if (verdict === "good") buckets.refund(name, size);
      const queue = queues.get(name);
      if (queue === undefined) return;
      queue.judged -= 1;
      queue.waiters.shift()?.();
      if (queue.judged > 0) return;
      // Nobody is left who could give a token back: whoever still waits is answered now.
      queues.delete(name);
      for (const wake of queue.waiters) wake();
    },
  };
}
