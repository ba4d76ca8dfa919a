/**
 * Decides how long a batch waits for company. While batches are small it does not: a lone caller is written at once. After
 * a large one more is sure to come, and to wait a few milliseconds for it costs less than another commit.
 */
export type Linger = {
  /** Something came that waits for so long at most. */
  readonly onArrival: (waitsMs: number) => void;
  /** A batch of so many was written. */
  readonly onWritten: (count: number) => void;
  /** The batch is full. */
  readonly onFull: () => void;
  readonly isWaiting: () => boolean;
  /** Until what came first has waited for long enough. */
  readonly wait: () => Promise<void>;
};

/** So many in one batch: more is to be expected. */
const CROWD = 4;
/** After so long without a batch it is quiet again. */
const QUIET_AFTER_MS = 100;

export function openLinger(): Linger {
  let deadlineMs = Number.POSITIVE_INFINITY;
  let crowdedUntilMs = 0;
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    timer = setTimeout(() => wake?.(), Math.max(0, deadlineMs - performance.now()));
  }

  return {
    onArrival: (waitsMs) => {
      const atMs = performance.now() + waitsMs;
      if (atMs >= deadlineMs) return;
      deadlineMs = atMs;
      if (wake !== undefined) arm();
    },
    onWritten: (count) => {
      crowdedUntilMs = count >= CROWD ? performance.now() + QUIET_AFTER_MS : 0;
    },
    onFull: () => wake?.(),
    isWaiting: () => wake !== undefined,
    wait: async () => {
      const nowMs = performance.now();
      if (nowMs < crowdedUntilMs && nowMs < deadlineMs) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          arm();
        });
        clearTimeout(timer);
        wake = undefined;
      }
      deadlineMs = Number.POSITIVE_INFINITY;
    },
  };
}
