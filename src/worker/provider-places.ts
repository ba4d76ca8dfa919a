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
  /** How many calls one provider may have at a time; undefined: as many as there are places. */
  readonly callsMaxOf?: (provider: string) => number | undefined;
  /** So long a job waits for a place of its provider. One whose jobs end sooner than this does not hang. */
  readonly waitMs: number;
  readonly begin: (job: J) => Promise<void>;
  /** It is to come again after so long. */
  readonly giveBack: (job: J, afterS: number) => void;
};

type Provider<J> = {
  readonly name: string;
  running: number;
  readonly waiting: { readonly job: J; readonly timer: NodeJS.Timeout }[];
  /** A job waited in vain: until one of its jobs ends soon enough, what finds no place is given back at once. */
  isHanging: boolean;
  /** When the job that was given back last comes again. */
  turnMs: number;
  readonly pace: Pace;
};

/** How far apart a provider's jobs begin, counted from time to time. */
type Pace = { gapMs: number; begun: number; sinceMs: number };

/** What is given back comes again no sooner and no later, and no further apart: a provider that recovers has work soon. */
const AGAIN_MIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;
const GAP_MAX_MS = 10;
const PACE_OVER_MS = 2_000;
/** More come than began before, so that no place stays empty. */
const HASTE = 0.7;

function gapOf(pace: Pace, nowMs: number): number {
  const elapsedMs = nowMs - pace.sinceMs;
  if (elapsedMs >= PACE_OVER_MS) {
    pace.gapMs = Math.min((HASTE * elapsedMs) / Math.max(pace.begun, 1), GAP_MAX_MS);
    pace.begun = 0;
    pace.sinceMs = nowMs;
  }
  return pace.gapMs;
}

export function openProviderPlaces<J>(options: ProviderPlacesOptions<J>): ProviderPlaces<J> {
  const providers = new Map<string, Provider<J>>();
  let closed = false;

  function providerOf(name: string): Provider<J> {
    const known = providers.get(name) ?? {
      name,
      running: 0,
      waiting: [],
      isHanging: false,
      turnMs: 0,
      pace: { gapMs: GAP_MAX_MS, begun: 0, sinceMs: performance.now() },
    };
    providers.set(name, known);
    return known;
  }

  function hasPlace({ name, running }: Provider<J>): boolean {
    let others = -running;
    for (const each of providers.values()) others += each.running;
    const callsMax = options.callsMaxOf?.(name) ?? options.placesMax;
    return running < Math.min(Math.ceil((options.placesMax - others) / 2), callsMax);
  }

  function begin(provider: Provider<J>, job: J): void {
    provider.running += 1;
    provider.pace.begun += 1;
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

  /**
   * Those that find no place come again in turn, about as fast as the provider takes them. If all came again at once, a long
   * queue of a slow provider would be taken and given back over and over, at two writes each.
   */
  function giveBack(provider: Provider<J>, job: J): void {
    const nowMs = performance.now();
    const turnMs = Math.max(nowMs + AGAIN_MIN_MS, provider.turnMs + gapOf(provider.pace, nowMs));
    provider.turnMs = Math.min(turnMs, nowMs + AGAIN_MAX_MS);
    options.giveBack(job, (provider.turnMs - nowMs) / 1_000);
  }

  function wait(provider: Provider<J>, job: J): void {
    const timer = setTimeout(() => {
      provider.isHanging = true;
      provider.waiting.splice(
        provider.waiting.findIndex((each) => each.timer === timer),
        1,
      );
      giveBack(provider, job);
    }, options.waitMs);
    provider.waiting.push({ job, timer });
  }

  return {
    add: (name, job) => {
      const provider = providerOf(name);
      if (closed) options.giveBack(job, 0);
      else if (hasPlace(provider)) begin(provider, job);
      else if (provider.isHanging) giveBack(provider, job);
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
          options.giveBack(job, 0);
        }
      }
    },
  };
}
