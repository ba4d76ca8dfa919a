import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BUSY_FROM, openLinger } from "./callback-linger.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is written ends when the test says so. */
function aLinger() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const linger = openLinger<number>((item) => {
    begun.push(item);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { linger, begun, endOne: () => ends.shift()?.() };
}

it("while little goes on, each goes through at once", () => {
  const { linger, begun } = aLinger();
  for (let item = 1; item <= BUSY_FROM; item += 1) linger(item);
  expect(begun).toHaveLength(BUSY_FROM);
});

it("while many are being written, those that come wait a few milliseconds and then go together", async () => {
  const { linger, begun } = aLinger();
  for (let item = 1; item <= BUSY_FROM + 20; item += 1) linger(item);
  expect(begun).toHaveLength(BUSY_FROM);
  await vi.advanceTimersByTimeAsync(5);
  expect(begun).toHaveLength(BUSY_FROM + 20);
});

it("when enough of them have come, they do not wait", async () => {
  const { linger, begun } = aLinger();
  for (let item = 1; item <= BUSY_FROM + 200; item += 1) linger(item);
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveLength(BUSY_FROM + 200);
});

it("when those are written, the next one goes through at once again", async () => {
  const { linger, begun, endOne } = aLinger();
  const first = Array.from({ length: BUSY_FROM }, (_, item) => linger(item));
  for (const _each of first) endOne();
  await Promise.all(first);
  linger(100);
  expect(begun.at(-1)).toBe(100);
});
