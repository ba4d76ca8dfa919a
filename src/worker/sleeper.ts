/** Sleeps until the time is over or a call wakes it; a call that arrives while it is awake is remembered. */
export type Sleeper = {
  /** Forgets earlier calls: what they were about is looked at now. */
  readonly arm: () => void;
  readonly wake: () => void;
  /** At most `ms`; a call ends it, but not before `atLeastMs`. */
  readonly sleep: (ms: number, atLeastMs?: number) => Promise<void>;
};

export function openSleeper(): Sleeper {
  let woken = false;
  let ring: () => void = () => undefined;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    arm: () => {
      woken = false;
    },
    wake: () => {
      woken = true;
      ring();
    },
    sleep: async (ms, atLeastMs = 0) => {
      if (atLeastMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(ms, atLeastMs)));
      if (!woken && ms > atLeastMs) await pause(ms - atLeastMs);
    },
  };
}
