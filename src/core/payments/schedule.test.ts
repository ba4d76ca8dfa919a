import { describe, expect, it } from "vitest";
import { type LookedAt, nextLookAt } from "./schedule.ts";

const END = new Date("2026-01-31T10:00:00.000Z");

/** Seconds until somebody looks at it again; undefined: never. */
function waitS(change: Partial<LookedAt>, sinceEndS = 0): number | undefined {
  const now = new Date(END.getTime() + sinceEndS * 1000);
  const payment: LookedAt = {
    direction: "payin",
    method: "card-p2p",
    state: "processing:paid",
    tries: 0,
    finishedAt: null,
    unanswered: false,
    payerWaits: false,
    unprovenEnd: null,
    uncertain: false,
    deadlineAt: null,
    mustTell: false,
    waitsForRoom: false,
    ...change,
  };
  const look = nextLookAt(payment, now);
  return look === null ? undefined : (look.getTime() - now.getTime()) / 1000;
}

describe("while it is open", () => {
  it("a charge that its acquirer has and has not decided is asked for soon, since a payer waits", () => {
    const charge = { method: "card-ecom", state: "processing:new" } as const;
    const tries = [0, 1, 2, 3, 4, 5, 6, 99];
    expect(tries.map((each) => waitS({ ...charge, tries: each, payerWaits: true }))).toEqual([
      1, 2, 3, 5, 10, 30, 60, 60,
    ]);
    expect(waitS({ ...charge, tries: 0 })).toBe(30);
  });

  it("somebody looks again and again, ever less often, and at the deadline", () => {
    expect([0, 1, 2, 3, 4, 99].map((tries) => waitS({ tries }))).toEqual([4, 5, 10, 30, 60, 60]);
    const deadlineAt = new Date(END.getTime() + 3_000);
    expect(waitS({ deadlineAt })).toBe(3);
    // It is over, and could not be acted upon: soon, but not at once.
    expect([0, 1, 99].map((tries) => waitS({ tries, deadlineAt }, 10))).toEqual([1, 2, 60]);
  });

  it("what a provider must be told is told soon; what waits for room is looked at steadily", () => {
    expect(waitS({ mustTell: true })).toBe(1);
    expect(waitS({ waitsForRoom: true, tries: 99 })).toBe(15);
  });
});

describe("after the end", () => {
  const ended = { state: "decline", finishedAt: END } as const;

  it("looks are counted from the end, however many there were", () => {
    for (const tries of [0, 3, 50]) {
      expect([0, 29, 31, 400, 4_000].map((sinceS) => waitS({ ...ended, tries }, sinceS))).toEqual([
        30, 1, 269, 3_200, 82_400,
      ]);
    }
  });

  it("the last look is the one that is answered", () => {
    expect(waitS({ ...ended, unanswered: true, tries: 99 }, 90_000)).toBe(3_600);
    expect(waitS(ended, 90_000)).toBeUndefined();
  });

  it("a look that was not answered is repeated soon, ever less often, and no later than the next one", () => {
    const again = (sinceS: number) =>
      [0, 1, 2, 3, 4, 5, 6, 99].map((tries) => waitS({ ...ended, unanswered: true, tries }, sinceS));
    expect(again(4_000)).toEqual([5, 10, 30, 60, 300, 900, 3_600, 3_600]);
    expect(again(31)).toEqual([5, 10, 30, 60, 269, 269, 269, 269]);
  });

  it("nobody looks after a payout that its provider paid, but a question about it is asked until it is answered", () => {
    expect(waitS({ ...ended, direction: "payout", state: "success" })).toBeUndefined();
    const paid = { ...ended, direction: "payout", state: "success", unanswered: true } as const;
    expect([0, 1, 99].map((tries) => waitS({ ...paid, tries }))).toEqual([5, 10, 3_600]);
    expect(waitS({ ...ended, direction: "payout" })).toBe(30);
  });

  it("what an operator ended is asked about until the provider is certain, ever less often, and each day at least", () => {
    for (const direction of ["payin", "payout"] as const) {
      const unproven = { ...ended, direction, state: "success", unprovenEnd: "elsewhere", uncertain: true } as const;
      expect([0, 31, 400, 4_000, 90_000, 9_000_000].map((sinceS) => waitS(unproven, sinceS))).toEqual([
        30, 31, 400, 4_000, 86_400, 86_400,
      ]);
      const certain = { ...unproven, uncertain: false };
      expect(waitS(certain, 90_000)).toBeUndefined();
    }
  });
});
