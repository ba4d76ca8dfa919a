import {
  afterAnswer,
  afterSend,
  allowance,
  BREAKER_OPENS_AFTER,
  type Breaker,
  CLOSED_BREAKER,
  type Probe,
} from "../../core/callbacks/breaker.ts";
import type { BreakerState } from "../../core/provider-window.ts";

/** Whether new payments may go to a provider: the rules are those of the receivers of callbacks. */
export type ProviderBreaker = {
  readonly admits: (key: string | undefined) => boolean;
  readonly isClosed: () => boolean;
  readonly state: () => BreakerState;
  /** When it was closed last, or when it opened. */
  readonly changedAt: () => { readonly ms: number; readonly wallMs: number };
  /** A call that brings a payment begins. */
  readonly begin: () => Probe;
  /** `isTooMuch`: many were lost lately, though not all in a row. */
  readonly end: (probe: Probe, result: { readonly isLost: boolean; readonly isTooMuch: boolean }) => void;
};

export type Clocks = { readonly nowMs: () => number; readonly wallMs: () => number };

/** Longer each time, while the payment that tries it is lost too. */
const OPEN_MS: readonly number[] = [5_000, 15_000, 30_000, 60_000];
/** So long a payment that was let through may take until its call begins. */
const PROBE_WAIT_MS = 10_000;

export function openProviderBreaker({ nowMs, wallMs }: Clocks): ProviderBreaker {
  let breaker: Breaker = CLOSED_BREAKER;
  let changedAt = { ms: nowMs(), wallMs: wallMs() };
  let letThrough: { readonly key: string; readonly untilMs: number } | undefined;

  const isClosed = () => breaker.openUntilMs === undefined;
  const canTry = () => allowance(breaker, 1, nowMs()) === 1;

  function set(next: Breaker): void {
    const wasClosed = isClosed();
    breaker = next;
    if (wasClosed !== isClosed()) changedAt = { ms: nowMs(), wallMs: wallMs() };
    if (isClosed()) letThrough = undefined;
  }

  return {
    isClosed,
    admits: (key) => {
      if (isClosed()) return true;
      const isHeld = letThrough !== undefined && (letThrough.untilMs > nowMs() || breaker.probing);
      if (isHeld || !canTry()) return isHeld && key !== undefined && letThrough?.key === key;
      if (key !== undefined) letThrough = { key, untilMs: nowMs() + PROBE_WAIT_MS };
      return true;
    },
    state: () => {
      if (isClosed()) return "closed";
      return breaker.probing || canTry() ? "half_open" : "open";
    },
    changedAt: () => changedAt,
    begin: () => {
      // While it is open, payments that it was given before are sent to it again; that tries nothing.
      if (isClosed() || !canTry()) return undefined;
      const sent = afterSend(breaker);
      set(sent.breaker);
      return sent.probe;
    },
    end: (probe, { isLost, isTooMuch }) => {
      if (probe !== undefined) letThrough = undefined;
      const before = isClosed() && isTooMuch ? { ...breaker, failures: BREAKER_OPENS_AFTER } : breaker;
      set(afterAnswer(before, { succeeded: !isLost, probe }, nowMs(), OPEN_MS));
    },
  };
}
