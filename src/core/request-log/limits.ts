/** How much of a project's calls is kept. */

/** Its last calls, those that were refused included. */
export const CALLS_KEPT = 10_000;
/** Refused calls are kept longer than others, but not more of them. */
export const ERRORS_KEPT = 10_000;
export const ERRORS_KEPT_DAYS = 30;
/** Calls that name a project and are not signed by one of its keys. They never take the place of its own. */
export const UNSIGNED_KEPT = 1_000;
/** In each process; what comes on top of it is counted only. */
export const UNSIGNED_NOTED = { perSecond: 1, burst: 60 } as const;
