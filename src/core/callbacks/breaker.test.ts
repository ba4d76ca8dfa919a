import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterAnswer,
  afterNothing,
  afterSend,
  allowance,
  BREAKER_OPEN_MS,
  BREAKER_OPENS_AFTER,
  type Breaker,
  CLOSED_BREAKER,
  type Probe,
} from "./breaker.ts";

const CAPACITY = 32;

/** Failures of what was sent as usual, one after another. */
function afterFailures(count: number, nowMs = 0): Breaker {
  let breaker = CLOSED_BREAKER;
  for (let made = 0; made < count; made += 1) {
    breaker = afterAnswer(breaker, { succeeded: false, probe: undefined }, nowMs);
  }
  return breaker;
}

describe("a breaker", () => {
  it("lets everything through until so many failures came in a row", () => {
    expect(allowance(afterFailures(BREAKER_OPENS_AFTER - 1), CAPACITY, 0)).toBe(CAPACITY);
    expect(allowance(afterFailures(BREAKER_OPENS_AFTER), CAPACITY, 0)).toBe(0);
  });

  it("counts from nothing again after a success", () => {
    const nearly = afterFailures(BREAKER_OPENS_AFTER - 1);
    const forgiven = afterAnswer(nearly, { succeeded: true, probe: undefined }, 0);
    expect(forgiven).toEqual(CLOSED_BREAKER);
    expect(allowance(afterAnswer(forgiven, { succeeded: false, probe: undefined }, 0), CAPACITY, 0)).toBe(CAPACITY);
  });

  it("lets one probe through when its time is over, and no second while that is under way", () => {
    const open = afterFailures(BREAKER_OPENS_AFTER);
    const [firstMs = 0] = BREAKER_OPEN_MS;
    expect(allowance(open, CAPACITY, firstMs - 1)).toBe(0);
    expect(allowance(open, CAPACITY, firstMs)).toBe(1);
    expect(allowance(open, 0, firstMs)).toBe(0);
    expect(allowance(afterSend(open).breaker, CAPACITY, firstMs + 1_000_000)).toBe(0);
  });

  it("closes when the probe succeeds, and opens for longer each time it fails", () => {
    let breaker = afterFailures(BREAKER_OPENS_AFTER);
    let nowMs = 0;
    for (const forMs of [...BREAKER_OPEN_MS, BREAKER_OPEN_MS.at(-1) ?? 0]) {
      expect(breaker.openUntilMs).toBe(nowMs + forMs);
      nowMs += forMs;
      const { breaker: probing, probe } = afterSend(breaker);
      breaker = afterAnswer(probing, { succeeded: false, probe }, nowMs);
    }
    const { breaker: probing, probe } = afterSend(breaker);
    expect(afterAnswer(probing, { succeeded: true, probe }, nowMs)).toEqual(CLOSED_BREAKER);
  });

  it("does not take the failure of something older for the probe's", () => {
    const { breaker: probing } = afterSend(afterFailures(BREAKER_OPENS_AFTER));
    const still = afterAnswer(probing, { succeeded: false, probe: undefined }, 6_000);
    expect(still).toMatchObject({ probing: true, openUntilMs: probing.openUntilMs });
  });

  it("lets another probe through when the first came to nothing, so that it cannot stay open for ever", () => {
    const open = afterFailures(BREAKER_OPENS_AFTER);
    const { breaker: probing, probe } = afterSend(open);
    expect(afterNothing(probing, undefined)).toBe(probing);
    expect(allowance(afterNothing(probing, probe), CAPACITY, 5_000)).toBe(1);
  });
});

/** What can happen to an endpoint: time passes, one is sent, and one of those under way ends in one of three ways. */
type Step =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "send" }
  | { readonly kind: "end"; readonly which: number; readonly how: "succeeded" | "failed" | "nothing" };

const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 400_000 }) }),
    fc.constant({ kind: "send" as const }),
    fc.record({
      kind: fc.constant("end" as const),
      which: fc.nat(40),
      how: fc.constantFrom("succeeded" as const, "failed" as const, "nothing" as const),
    }),
  ),
  { maxLength: 200 },
);

it("whatever happens, one probe at most is under way, five failures in a row open it, and it never stays open", () => {
  fc.assert(
    fc.property(steps, (happenings) => {
      let breaker = CLOSED_BREAKER;
      let nowMs = 0;
      let inRow = 0;
      const underWay: Probe[] = [];
      for (const step of happenings) {
        if (step.kind === "wait") nowMs += step.ms;
        if (step.kind === "send" && allowance(breaker, CAPACITY - underWay.length, nowMs) > 0) {
          const sent = afterSend(breaker);
          breaker = sent.breaker;
          underWay.push(sent.probe);
        }
        if (step.kind === "end" && underWay.length > 0) {
          nowMs += 1;
          const [probe] = underWay.splice(step.which % underWay.length, 1);
          const succeeded = step.how === "succeeded";
          if (step.how === "nothing") breaker = afterNothing(breaker, probe);
          else breaker = afterAnswer(breaker, { succeeded, probe }, nowMs);
          if (step.how !== "nothing") inRow = succeeded ? 0 : inRow + 1;
        }
        const ofThisOpening = underWay.filter((probe) => probe !== undefined && probe === breaker.openUntilMs);
        expect(ofThisOpening.length).toBe(breaker.probing ? 1 : 0);
        expect(breaker.openUntilMs !== undefined).toBe(inRow >= BREAKER_OPENS_AFTER);
        // With nothing under way, time alone must let something through again.
        if (underWay.length === 0) expect(allowance(breaker, 1, nowMs + 300_000)).toBe(1);
      }
    }),
    { numRuns: 500 },
  );
});
