/** Time is an argument everywhere, so that tests are plain calls. This is the real one. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };
