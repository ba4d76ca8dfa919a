import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openProviderPlaces } from "./provider-places.ts";

/** What finds no place comes again in turn, and not all at once. */
const PLACES = 400;
const OWN_PLACES = PLACES / 2;
const WAIT_MS = 1_000;
const SLOW_MS = 1_500;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A provider whose jobs take longer than others wait for a place. Answers after how long each that was given back comes again. */
function openSlow() {
  const afterS: number[] = [];
  const places = openProviderPlaces<string>({
    placesMax: PLACES,
    waitMs: WAIT_MS,
    begin: () => new Promise((resolve) => setTimeout(resolve, SLOW_MS)),
    giveBack: (_, seconds) => afterS.push(seconds),
  });
  const add = (count: number) => {
    for (let job = 0; job < count; job += 1) places.add("slow", "job");
  };
  return { add, afterS };
}

it("one after the other, up to half a minute later", async () => {
  const { add, afterS } = openSlow();
  add(OWN_PLACES + 1);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  expect(afterS).toEqual([1]);
  add(4_000);
  expect(afterS.slice(0, 3).map((seconds) => seconds.toFixed(2))).toEqual(["1.00", "1.01", "1.02"]);
  expect(afterS.at(1_000)).toBeCloseTo(11);
  expect(afterS.at(-1)).toBe(30);
});

it("a little faster than the provider took them before", async () => {
  const { add, afterS } = openSlow();
  add(OWN_PLACES + 1);
  await vi.advanceTimersByTimeAsync(SLOW_MS);
  add(OWN_PLACES);
  await vi.advanceTimersByTimeAsync(500);
  add(3);
  // 400 began in 2 s: one every 5 ms.
  const [first = 0, second = 0] = afterS.slice(-2);
  expect((second - first) * 1_000).toBeCloseTo(3.5);
});
