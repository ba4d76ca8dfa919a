/**
 * A circuit breaker for one endpoint. Failures in a row open it; after a while one probe is let through, and what becomes
 * of that closes it or opens it for longer. It knows no clock: time is an argument.
 */
export type Breaker = {
  readonly failures: number;
  /** Until when nothing is sent; undefined while it is closed. */
  readonly openUntilMs: number | undefined;
  readonly openedTimes: number;
  readonly probing: boolean;
};

/** Which opening of the breaker something was sent as the probe of; undefined: it was sent as usual. */
export type Probe = number | undefined;

export const CLOSED_BREAKER: Breaker = { failures: 0, openUntilMs: undefined, openedTimes: 0, probing: false };

export const BREAKER_OPENS_AFTER = 5;
export const BREAKER_OPEN_MS: readonly number[] = [5_000, 15_000, 60_000, 300_000];

/** How many more may be sent now, of those that the endpoint's cap allows. */
export function allowance(breaker: Breaker, capacity: number, nowMs: number): number {
  if (breaker.openUntilMs === undefined) return capacity;
  if (breaker.probing || nowMs < breaker.openUntilMs) return 0;
  return Math.min(1, capacity);
}

/** Something is being sent: if the breaker was open, it is the probe. */
export function afterSend(breaker: Breaker): { readonly breaker: Breaker; readonly probe: Probe } {
  const probe = breaker.openUntilMs;
  return { probe, breaker: probe === undefined ? breaker : { ...breaker, probing: true } };
}

export function afterAnswer(
  breaker: Breaker,
  { succeeded, probe }: { readonly succeeded: boolean; readonly probe: Probe },
  nowMs: number,
  openMs: readonly number[] = BREAKER_OPEN_MS,
): Breaker {
  if (succeeded) return CLOSED_BREAKER;
  const failures = breaker.failures + 1;
  const isOpen = breaker.openUntilMs !== undefined;
  // Answers to what was sent before it opened change nothing; only the probe's does.
  if (isOpen ? !isProbeOf(breaker, probe) : failures < BREAKER_OPENS_AFTER) return { ...breaker, failures };
  const forMs = openMs[Math.min(breaker.openedTimes, openMs.length - 1)] ?? 0;
  return { failures, openUntilMs: nowMs + forMs, openedTimes: breaker.openedTimes + 1, probing: false };
}

/** What was to be sent came to nothing before the endpoint was asked: if it was the probe, another may be sent. */
export function afterNothing(breaker: Breaker, probe: Probe): Breaker {
  return isProbeOf(breaker, probe) ? { ...breaker, probing: false } : breaker;
}

function isProbeOf(breaker: Breaker, probe: Probe): boolean {
  return breaker.probing && probe !== undefined && probe === breaker.openUntilMs;
}
