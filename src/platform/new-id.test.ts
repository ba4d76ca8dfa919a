import { expect, it } from "vitest";
import { newId } from "./new-id.ts";

it("is a UUIDv7 without dashes", () => {
  for (let count = 0; count < 2_000; count += 1)
    expect(newId()).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
});

it("carries its time, and sorts by it", () => {
  expect(newId(0x0123456789ab).slice(0, 12)).toBe("0123456789ab");
  const ids = [1, 5, 1_000, 2 ** 40, Date.now()].map((nowMs) => newId(nowMs));
  expect(ids.toSorted()).toEqual(ids);
});

it("never comes twice, in the same millisecond either", () => {
  const ids = Array.from({ length: 100_000 }, () => newId(1));
  expect(new Set(ids).size).toBe(ids.length);
});
