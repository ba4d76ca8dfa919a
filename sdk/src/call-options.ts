import { TillgateError } from "./errors.ts";

/** What every call takes as its last argument. */
export type CallOptions = {
  /**
   * Ends the call, its retries and the waiting between them with a TillgateAbortError. That cancels no payment: a create that
   * is aborted may have arrived, and the error says so.
   */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt of this call, instead of the client's. */
  readonly timeoutMs?: number | undefined;
  /** Attempts of this call after the first, instead of the client's. */
  readonly retriesMax?: number | undefined;
};

const RETRIES_MAX = 10;
/** The longest delay a timer of Node takes; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** A mistake here is told before anything is sent; a signal that is silently ignored would never end the call. */
export function requireCallOptions(options: CallOptions): void {
  if (typeof options !== "object" || options === null || "aborted" in options) {
    throw new TillgateError("the options of a call must be an object such as { signal }; nothing was sent");
  }
  const { signal, timeoutMs, retriesMax } = options;
  if (signal !== undefined && (typeof signal?.aborted !== "boolean" || typeof signal.addEventListener !== "function")) {
    throw new TillgateError("signal must be an AbortSignal; nothing was sent");
  }
  if (timeoutMs !== undefined) requireWhole("timeoutMs", timeoutMs, 1, TIMER_MS_MAX);
  if (retriesMax !== undefined) requireWhole("retriesMax", retriesMax, 0, RETRIES_MAX);
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new TillgateError(`${name} must be a whole number from ${min} to ${max}`);
}
