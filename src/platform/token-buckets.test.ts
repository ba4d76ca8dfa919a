import { expect, it } from "vitest";
import { openTokenBuckets } from "./token-buckets.ts";

const size = { perSecond: 10, burst: 3 };

it("lets a burst through, then one for each token that flows in", () => {
  const buckets = openTokenBuckets(10);
  expect([1, 2, 3].map(() => buckets.take("a", size, 0))).toEqual([0, 0, 0]);
  expect(buckets.take("a", size, 0)).toBe(100);
  expect(buckets.take("a", size, 75)).toBe(25);
  expect(buckets.take("a", size, 100)).toBe(0);
  expect(buckets.take("a", size, 100)).toBe(100);
});

it("keeps names apart, and gives back what was not owed", () => {
  const buckets = openTokenBuckets(10);
  for (let count = 0; count < 20; count += 1) {
    expect(buckets.take("a", size, 0)).toBe(0);
    buckets.refund("a", size);
  }
  for (let count = 0; count < 3; count += 1) buckets.take("a", size, 0);
  expect(buckets.take("a", size, 0)).toBeGreaterThan(0);
  expect(buckets.take("b", size, 0)).toBe(0);
  buckets.refund("b", size);
  buckets.refund("b", size);
  expect([1, 2, 3, 4].map(() => buckets.take("b", size, 0)).filter((wait) => wait === 0)).toHaveLength(3);
});

it("never holds more than the burst, and is not confused by a clock that goes back", () => {
  const buckets = openTokenBuckets(10);
  buckets.take("a", size, 1_000_000);
  expect(buckets.take("a", size, 0)).toBe(0);
  expect([1, 2, 3, 4].map(() => buckets.take("a", size, 9_000_000)).filter((wait) => wait === 0)).toHaveLength(3);
});

it("forgets the least recently used bucket when there are too many", () => {
  const buckets = openTokenBuckets(2);
  for (const name of ["a", "a", "a", "b", "c"]) buckets.take(name, size, 0);
  expect(buckets.take("a", size, 0)).toBe(0);
});
