/**
 * A signal that aborts when the time is over or when the caller's own signal does. `AbortSignal.any` does not exist in
 * Node 18. Call `end` in any case: a signal that lives as long as the program would otherwise keep every call.
 */
export function startDeadline(
  timeoutMs: number,
  callerSignal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  callerSignal?.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", abort);
    },
  };
}

/** Waits, and no longer than until the signal aborts. */
export function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
  });
}
