import { afterAnswers } from "../deadlines.ts";

/**
 * Deadlines with one span for each of them, so that the oldest passes first: one timer serves any number of them. A timer
 * or an abort signal for each costs more than the rest of a short exchange.
 */
export type Deadlines = {
  /** Calls back once, when the span is over. Answers how to call it off. */
  readonly start: (passed: () => void) => () => void;
};

type Deadline = { readonly atMs: number; readonly passed: () => void };

export function openDeadlines(spanMs: number): Deadlines {
  const waiting = new Set<Deadline>();
  let isArmed = false;

  function arm(): void {
    const [oldest] = waiting;
    isArmed = oldest !== undefined;
    // What it watches keeps the process alive while that matters.
    if (oldest !== undefined) {
      setTimeout(afterAnswers, Math.max(Math.ceil(oldest.atMs - performance.now()), 0), pass).unref();
    }
  }

  function pass(): void {
    const nowMs = performance.now();
    for (const deadline of waiting) {
      if (deadline.atMs > nowMs) break;
      waiting.delete(deadline);
      deadline.passed();
    }
    arm();
  }

  return {
    start: (passed) => {
      const deadline = { atMs: performance.now() + spanMs, passed };
      waiting.add(deadline);
      if (!isArmed) arm();
      return () => waiting.delete(deadline);
    },
  };
}
