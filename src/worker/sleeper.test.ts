import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSleeper } from "./sleeper.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether it is awake, asked without waiting for anything but time. */
function begin(sleeping: Promise<void>): { awake: boolean } {
  const state = { awake: false };
  sleeping.then(() => {
    state.awake = true;
  });
  return state;
}

describe("a sleeper", () => {
  it("sleeps until it is time", async () => {
    const state = begin(openSleeper().sleep(100));
    await vi.advanceTimersByTimeAsync(99);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.awake).toBe(true);
  });

  it("wakes when it is called, but not before it has slept the least", async () => {
    const sleeper = openSleeper();
    const state = begin(sleeper.sleep(10_000, 20));
    sleeper.wake();
    await vi.advanceTimersByTimeAsync(19);
    expect(state.awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(state.awake).toBe(true);
    const later = begin(sleeper.sleep(10_000, 20));
    await vi.advanceTimersByTimeAsync(20);
    expect(later.awake).toBe(true);
  });

  it("remembers a call that came while nobody slept, until it is armed again", async () => {
    const sleeper = openSleeper();
    sleeper.wake();
    const first = begin(sleeper.sleep(10_000));
    await vi.advanceTimersByTimeAsync(0);
    expect(first.awake).toBe(true);
    sleeper.arm();
    const second = begin(sleeper.sleep(10_000));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(second.awake).toBe(false);
    sleeper.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(second.awake).toBe(true);
  });
});
