import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openProviderPlaces } from "./provider-places.ts";

/** What finds no place comes again in turn, and not all at once. */
const PLACES = 20;
const OWN_PLACES = PLACES / 2;
const SLOW_MS = 1_500;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue of `count` jobs that are taken whenever they are due. Answers how often jobs were begun and given back in `seconds`. */
async function workFor(seconds: number, count: number, jobMs: number): Promise<{ begun: number; givenBack: number }> {
  const result = { begun: 0, givenBack: 0 };
  const places = openProviderPlaces<number>({
    placesMax: PLACES,
    waitMs: 1_000,
    begin: async () => {
      result.begun += 1;
      await new Promise((resolve) => setTimeout(resolve, jobMs));
    },
    giveBack: (job, afterS) => {
      result.givenBack += 1;
      setTimeout(() => places.add("slow", job), afterS * 1_000);
    },
  });
  for (let job = 0; job < count; job += 1) places.add("slow", job);
  await vi.advanceTimersByTimeAsync(seconds * 1_000);
  return result;
}

it("a slow provider's places stay busy, and few jobs are taken in vain", async () => {
  const { begun, givenBack } = await workFor(60, 500, SLOW_MS);
  expect(begun).toBeGreaterThan(0.8 * (60_000 / SLOW_MS) * OWN_PLACES);
  // All of them every five seconds would be about 5,000.
  expect(givenBack).toBeLessThan(2_000);
});

it("few that found no place come again soon", async () => {
  const { begun } = await workFor(10, 5 * OWN_PLACES, SLOW_MS);
  expect(begun).toBe(5 * OWN_PLACES);
});
