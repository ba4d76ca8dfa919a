import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CALLBACK_DELAYS_S, readRetryAfter, retryDelayS } from "./schedule.ts";

const MIDDLE = 0.5;
const HOUR_S = 3_600;

describe("the schedule", () => {
  it.each([
    [1, 5],
    [2, 30],
    [3, 2 * 60],
    [4, 10 * 60],
    [5, 30 * 60],
    [6, HOUR_S],
    [7, 2 * HOUR_S],
    [8, 4 * HOUR_S],
    [9, 8 * HOUR_S],
    [10, 12 * HOUR_S],
    [11, 12 * HOUR_S],
    [12, 12 * HOUR_S],
    [13, 12 * HOUR_S],
    [14, 29_845],
  ])("waits after attempt %i for %i s, a fifth more or less", (attempts, delayS) => {
    expect(retryDelayS(attempts, MIDDLE, undefined)).toBeCloseTo(delayS, 6);
    expect(retryDelayS(attempts, 0, undefined)).toBeCloseTo(delayS * 0.8, 6);
    expect(retryDelayS(attempts, 1, undefined)).toBeCloseTo(delayS * 1.2, 6);
  });

  it("gives up after the fifteenth attempt, whatever the receiver asks for", () => {
    expect(retryDelayS(15, MIDDLE, undefined)).toBeUndefined();
    expect(retryDelayS(15, MIDDLE, 60)).toBeUndefined();
    expect(retryDelayS(1_000, MIDDLE, undefined)).toBeUndefined();
  });

  it("makes its last attempt 72 hours after the first, and no wait is longer than 12", () => {
    expect(CALLBACK_DELAYS_S.reduce((sum, delayS) => sum + delayS, 0)).toBe(72 * HOUR_S);
    expect(Math.max(...CALLBACK_DELAYS_S)).toBe(12 * HOUR_S);
  });

  it("never leaves its bounds, by whatever chance", () => {
    const attempts = fc.integer({ min: 1, max: CALLBACK_DELAYS_S.length });
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(attempts, chance, (made, by) => {
        const planned = CALLBACK_DELAYS_S[made - 1] ?? 0;
        const delayS = retryDelayS(made, by, undefined) ?? Number.NaN;
        expect(delayS).toBeGreaterThanOrEqual(planned * 0.8 - 1e-9);
        expect(delayS).toBeLessThanOrEqual(planned * 1.2 + 1e-9);
      }),
    );
  });

  it("is data: another one is followed as well", () => {
    const schedule = { delaysS: [0.005, 0.03] };
    expect(retryDelayS(2, MIDDLE, undefined, schedule)).toBeCloseTo(0.03, 9);
    expect(retryDelayS(3, MIDDLE, undefined, schedule)).toBeUndefined();
  });
});

describe("a receiver that asks for patience", () => {
  it.each([
    ["more than planned", 60, 60],
    ["less than planned", 1, 5],
    ["nothing", 0, 5],
    ["a day, which is cut to half of it", 24 * HOUR_S, 12 * HOUR_S],
    ["centuries", 9_999_999_999, 12 * HOUR_S],
  ])("gets it when it asks for %s", (_what, retryAfterS, waitedS) => {
    expect(retryDelayS(1, MIDDLE, retryAfterS)).toBeCloseTo(waitedS, 6);
  });
});

describe("Retry-After", () => {
  const nowMs = Date.UTC(2026, 0, 31, 10, 0, 0);

  it.each([
    ["120", 120],
    ["0", 0],
    [" 7 ", 7],
    ["9999999999", 9_999_999_999],
    ["Sat, 31 Jan 2026 10:02:00 GMT", 120],
    ["Sat, 31 Jan 2026 10:00:00 GMT", 0],
    ["Fri, 30 Jan 2026 10:00:00 GMT", 0],
  ])("%j is understood", (header, seconds) => {
    expect(readRetryAfter(header, nowMs)).toBe(seconds);
  });

  it.each([
    undefined,
    "",
    "soon",
    "-5",
    "1.5",
    "1e3",
    "0x10",
    "12345678901",
    "5, 10",
    "2026-01-31T10:02:00Z",
    "Sat, 31 Jan 2026 10:02:00 +0000",
    "Sat, 31 Foo 2026 10:02:00 GMT",
    "Sat, 99 Jan 2026 10:02:00 GMT",
    "10:02",
    "\u0661",
  ])("%j is not", (header) => {
    expect(readRetryAfter(header, nowMs)).toBeUndefined();
  });

  it("is a wait of no less than nothing, or not understood, whatever is sent", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = readRetryAfter(header, nowMs);
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true);
      }),
    );
  });
});
