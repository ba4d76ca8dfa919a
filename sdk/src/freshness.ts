import { TillgateError, TillgateSignatureError } from "./errors.ts";

const TOLERANCE_S = 300;

const UNIX_SECONDS = /^[0-9]{10}$/;

export type Freshness = {
  /** How far the callback's time may be from ours, either way. */
  readonly toleranceS?: number | undefined;
  /** Milliseconds since 1970, as `Date.now` gives them. */
  readonly now?: (() => number) | undefined;
};

/** The signed time bounds how long a captured callback can be played again; keeping event ids closes the rest. */
export function requireFresh(timestamp: string, { toleranceS = TOLERANCE_S, now = Date.now }: Freshness): void {
  if (!(toleranceS >= 0)) throw new TillgateError("toleranceS must be a number of seconds");
  if (!UNIX_SECONDS.test(timestamp)) {
    throw new TillgateSignatureError("timestamp_malformed", "the timestamp is not Unix time in seconds");
  }
  if (Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceS) return;
  throw new TillgateSignatureError("timestamp_out_of_tolerance", `the timestamp is more than ${toleranceS} s away`);
}
