/** How long a session lasts, and how long it is trusted with what needs a second look. */
export const SESSION_IDLE_S = 30 * 60;
export const SESSION_AGE_MAX_S = 12 * 3600;
/** Between the password and the second factor. */
export const FACTOR_WAIT_S = 5 * 60;
const STEP_UP_S = 10 * 60;

export type SessionTimes = {
  readonly seenAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
};

export function isSessionOpen({ seenAt, expiresAt, endedAt }: SessionTimes, nowMs: number): boolean {
  if (endedAt !== null || expiresAt.getTime() <= nowMs) return false;
  return seenAt.getTime() + SESSION_IDLE_S * 1000 > nowMs;
}

/** Until when the step-up holds; undefined where there is none that still does. */
export function steppedUpUntil(steppedUpAt: Date | null, nowMs: number): Date | undefined {
  if (steppedUpAt === null) return undefined;
  const until = steppedUpAt.getTime() + STEP_UP_S * 1000;
  return until > nowMs ? new Date(until) : undefined;
}
