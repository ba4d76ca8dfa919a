import type { FailedReason } from "./answer.ts";

/**
 * Ends a request early, once, with the reason of its answer. An AbortSignal can do the same, at a cost that every callback would
 * pay; here one step of a request waits at a time, so one listener is enough.
 */
export type Stop = {
  reason: FailedReason | undefined;
  listener: (() => void) | undefined;
};

export function openStop(): Stop {
  return { reason: undefined, listener: undefined };
}

/** The first reason counts. */
export function stopWith(stop: Stop, reason: FailedReason): void {
  if (stop.reason !== undefined) return;
  stop.reason = reason;
  stop.listener?.();
}
