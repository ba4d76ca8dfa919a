/**
 * The places that a worker has, shared between providers: each may take half of what the others leave. So one that hangs
 * keeps no other from its work, and neither do two, while one that is alone and answers has enough.
 */
export type ProviderPlaces<J> = {
  /** Begins it now, or when its provider has a place; gives it back where that takes too long. */
  readonly add: (provider: string, job: J) => void;
  /** How many wait for a place. */
  readonly waitingCount: () => number;
  /** From now on nothing is begun any more, and what waits is given back. */
  readonly close: () => void;
};

export type ProviderPlacesOptions<J> = {
  readonly placesMax: number;
  /** So long a job waits for a place of its provider. One whose jobs end sooner than this does not hang. */
  readonly waitMs: number;
  readonly begin: (job: J) => Promise<void>;
  readonly giveBack: (job: J) => void;
};

type Provider<J> = {
  running: number;
  readonly waiting: { readonly job: J; readonly timer: NodeJS.Timeout }[];
  /** A job waited in vain: until one of its jobs ends soon enough, what finds no place is given back at once. */
  isHanging: boolean;
};

export function openProviderPlaces<J>(options: ProviderPlacesOptions<J>): ProviderPlaces<J> {
  const providers = new Map<string, Provider<J>>();
  let closed = false;

  function providerOf(name: string): Provider<J> {
    const known = providers.get(name) ?? { running: 0, waiting: [], isHanging: false };
    providers.set(name, known);
    return known;
  }

  function hasPlace({ running }: Provider<J>): boolean {
    let others = -running;
    for (const each of providers.values()) others += each.running;
    return running < Math.ceil((options.placesMax - others) / 2);
  }

  function begin(provider: Provider<J>, job: J): void {
    provider.running += 1;
    const beganMs = performance.now();
    options.begin(job).finally(() => {
      provider.running -= 1;
      if (performance.now() - beganMs < options.waitMs) provider.isHanging = false;
      for (const each of providers.values()) beginWaiting(each);
    });
  }

  function beginWaiting(provider: Provider<J>): void {
    while (provider.waiting.length > 0 && hasPlace(provider)) {
      const next = provider.waiting.shift();
      if (next === undefined) return;
      clearTimeout(next.timer);
      begin(provider, next.job);
    }
  }

  function wait(provider: Provider<J>, job: J): void {
    const timer = setTimeout(() => {
      provider.isHanging = true;
      provider.waiting.splice(
        provider.waiting.findIndex((each) => each.timer === timer),
        1,
      );
      options.giveBack(job);
    }, options.waitMs);
    provider.waiting.push({ job, timer });
  }

  return {
    add: (name, job) => {
      const provider = providerOf(name);
      if (closed) options.giveBack(job);
      else if (hasPlace(provider)) begin(provider, job);
      else if (provider.isHanging) options.giveBack(job);
      else wait(provider, job);
    },
    waitingCount: () => {
      let count = 0;
      for (const { waiting } of providers.values()) count += waiting.length;
      return count;
    },
    close: () => {
      closed = true;
      for (const { waiting } of providers.values()) {
        for (const { job, timer } of waiting.splice(0)) {
          clearTimeout(timer);
          options.giveBack(job);
        }
      }
    },
  };
}
