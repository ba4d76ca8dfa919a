import { expect, test } from "vitest";
import { findDuration, showDistance, showDuration } from "./durations.ts";

test.each([
  [-1, "0 s"],
  [0, "0 s"],
  [0.9, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [61, "1 min 1 s"],
  [3_600, "1 h"],
  [3_659, "1 h"],
  [5_400, "1 h 30 min"],
  [86_400, "1 d"],
  [90_000, "1 d 1 h"],
  [86_460, "1 d"],
])("%d seconds are %s", (seconds, words) => expect(showDuration(seconds)).toBe(words));

test("a distance looks both ways", () => {
  const now = new Date("2026-01-31T10:00:00Z");
  expect(showDistance(new Date("2026-01-31T10:05:00Z"), now)).toBe("in 5 min");
  expect(showDistance(new Date("2026-01-31T09:59:57Z"), now)).toBe("3 s ago");
});

test.each([
  ["45s", 45],
  ["30min", 1_800],
  ["24h", 86_400],
  ["7d", 604_800],
  ["0d", 0],
  ["7", undefined],
  ["7 d", undefined],
  ["-1d", undefined],
  ["1.5h", undefined],
  ["2w", undefined],
])("reads %s as %s seconds", (text, seconds) => {
  expect(findDuration(text)).toBe(seconds);
});
