import { expect, it } from "vitest";
import { P2P_PAYIN_TRANSITIONS } from "./payin-transitions.ts";
import type { P2pPayinState } from "./states.ts";
import { waitsForPerson } from "./waits-for-person.ts";

const STATES = Object.keys(P2P_PAYIN_TRANSITIONS) as P2pPayinState[];
const NOW = Date.parse("2026-01-31T10:00:00Z");
const secondsAgo = (seconds: number) => new Date(NOW - seconds * 1000);

it("is said of a timed-out confirm at once, of another sum after half an hour, and of nothing else ever", () => {
  const listed = (seconds: number) =>
    STATES.filter((state) => waitsForPerson({ state, updatedAt: secondsAgo(seconds) }, NOW));
  expect(listed(-1)).toEqual(["dispute:confirm_timeout"]);
  expect(listed(1_799)).toEqual(["dispute:confirm_timeout"]);
  expect([...listed(1_800)].sort()).toEqual(["dispute:confirm_timeout", "dispute:different_amount"]);
  expect(listed(864_000)).toHaveLength(2);
});
