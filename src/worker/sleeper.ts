/** Sleeps until the time is over or a call wakes it; a call that arrives while it is awake is remembered. */
export type Sleeper = {
  /** Forgets earlier calls: what they were about is looked at now. */
  readonly arm: () => void;
  readonly wake: () => void;
  /** Where it sleeps, it sleeps no longer than so long from now. */
  readonly within: (ms: number) => void;
  /** At most `ms`; a call ends it, but not before `atLeastMs`. */
  readonly sleep: (ms: number, atLeastMs?: number) => Promise<void>;
};

export function openSleeper(): Sleeper {
  let woken = false;
  let ring: () => void = () => undefined;
  let within: (ms: number) => void = () => undefined;

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      let timer = setTimeout(resolve, ms);
      let endsAtMs = performance.now() + ms;
      ring = () => {
        clearTimeout(timer);
        resolve();
      };
      within = (soonerMs) => {
        const sooner = performance.now() + soonerMs;
        if (sooner >= endsAtMs) return;
        clearTimeout(timer);
        timer = setTimeout(resolve, soonerMs);
        endsAtMs = sooner;
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
    within: (ms) => within(ms),
    sleep: async (ms, atLeastMs = 0) => {
      if (atLeastMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(ms, atLeastMs)));
      if (!woken && ms > atLeastMs) await pause(ms - atLeastMs);
    },
  };
}
