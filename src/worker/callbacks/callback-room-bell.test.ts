import { expect, it } from "vitest";
import { openRoomBell } from "./callback-room-bell.ts";

function aBell() {
  let rings = 0;
  const bell = openRoomBell(() => {
    rings += 1;
  });
  return { ...bell, rings: () => rings };
}

it("rings for a free place while something is left, and not otherwise", () => {
  const { beginLook, endLook, free, rings } = aBell();
  beginLook();
  endLook(false);
  free();
  expect(rings()).toBe(0);
  beginLook();
  endLook(true);
  free();
  expect(rings()).toBe(1);
});

it("judges a place that is free during a look when the look is over", () => {
  const { beginLook, endLook, free, rings } = aBell();
  beginLook();
  free();
  endLook(false);
  expect(rings()).toBe(0);
  beginLook();
  free();
  expect(rings()).toBe(0);
  endLook(true);
  expect(rings()).toBe(1);
});
