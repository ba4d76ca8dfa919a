import { TillgateApiError, type TillgateError, TillgateNetworkError } from "./errors.ts";

const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);
/** A call that was refused for the rate of calls has done nothing, so that even one that is not safe to repeat may be. */
const REFUSED_UNSEEN = 429;
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 5_000;
/** Asked to wait longer, the call gives up at once: the caller knows better than a sleeping client what to do then. */
const RETRY_AFTER_S_MAX = 30;

type Attempted = { readonly safeToRepeat: boolean; readonly attemptsMade: number; readonly random: () => number };

/**
 * How long to wait before the next attempt, or undefined when there is to be none. The back-off has full jitter, so that
 * clients which failed together do not return together; what `Retry-After` asks for is waited in any case.
 */
export function retryDelayMs(failure: TillgateError, attempted: Attempted): number | undefined {
  const { safeToRepeat, attemptsMade, random } = attempted;
  const backoffMs = random() * Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (attemptsMade - 1));
  if (failure instanceof TillgateNetworkError) return safeToRepeat ? backoffMs : undefined;
  if (!(failure instanceof TillgateApiError) || !RETRIED_STATUSES.has(failure.httpStatus)) return undefined;
  if (!safeToRepeat && failure.httpStatus !== REFUSED_UNSEEN) return undefined;
  const retryAfterS = failure.retryAfterS ?? 0;
  return retryAfterS > RETRY_AFTER_S_MAX ? undefined : retryAfterS * 1_000 + backoffMs;
}
