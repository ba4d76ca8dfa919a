/** The last attempt is made so long after the first, by the schedule without its jitter: 72 hours. */
export const CALLBACK_SPAN_S = 259_200;

const WAITS_S: readonly number[] = [
  5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200, 43_200, 43_200,
];

/** When a callback is sent again after each failure, in seconds. The last wait is what is left of the span. */
export const CALLBACK_DELAYS_S: readonly number[] = [
  ...WAITS_S,
  CALLBACK_SPAN_S - WAITS_S.reduce((sum, waitS) => sum + waitS, 0),
];

/** Each wait is this much shorter or longer by chance, so that a receiver that comes back is not met by all at once. */
const JITTER = 0.2;

/** A receiver may ask for a longer delay, up to this limit. */
const RETRY_AFTER_MAX_S = 43_200;

/** A final status waits this long for earlier ones that were not delivered; then it goes ahead of them. */
export const FINAL_WAITS_MAX_S = 900;

export type RetrySchedule = { readonly delaysS: readonly number[] };

/**
 * How long to wait after so many attempts, or undefined when that was the last. `chance` is from 0 to 1.
 */
export function retryDelayS(
  attempts: number,
  chance: number,
  retryAfterS: number | undefined,
  { delaysS }: RetrySchedule = { delaysS: CALLBACK_DELAYS_S },
): number | undefined {
  const planned = delaysS[attempts - 1];
  if (planned === undefined) return undefined;
  const jittered = planned * (1 - JITTER + 2 * JITTER * chance);
  return Math.max(jittered, Math.min(retryAfterS ?? 0, RETRY_AFTER_MAX_S));
}

/** `Retry-After` as seconds from now: a number of seconds, or a date. Undefined for anything else. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^[0-9]{1,10}$/.test(text)) return Number(text);
  const atMs = IMF_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, (atMs - nowMs) / 1000);
}

/** The one form that senders must use; JavaScript would take many more for a date. */
const IMF_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
