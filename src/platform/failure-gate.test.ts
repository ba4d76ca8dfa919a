import { expect, it } from "vitest";
import { openFailureGate } from "./failure-gate.ts";
import { openTokenBuckets } from "./token-buckets.ts";

const size = { perSecond: 0.001, burst: 3 };
const now = () => 0;

function openGate() {
  return openFailureGate(openTokenBuckets(10));
}

it("lets any number of good calls through at once, the burst at a time", async () => {
  const gate = openGate();
  let inside = 0;
  let insideMax = 0;
  const calls = Array.from({ length: 50 }, async () => {
    const waitMs = await gate.enter("a", size, now);
    inside += 1;
    insideMax = Math.max(insideMax, inside);
    await Promise.resolve();
    inside -= 1;
    gate.leave("a", size, "good");
    return waitMs;
  });
  expect(await Promise.all(calls)).toEqual(calls.map(() => 0));
  expect(insideMax).toBe(3);
});

it("turns away whoever comes after the burst has failed, those who waited for it too", async () => {
  const gate = openGate();
  const calls = Array.from({ length: 20 }, async () => {
    const waitMs = await gate.enter("a", size, now);
    if (waitMs === 0) gate.leave("a", size, "failed");
    return waitMs === 0;
  });
  expect((await Promise.all(calls)).filter((entered) => entered)).toHaveLength(3);
  expect(await gate.enter("a", size, now)).toBeGreaterThan(0);
  expect(await gate.enter("b", size, now)).toBe(0);
});

it("a good call among bad ones still gets in while a token is left", async () => {
  const gate = openGate();
  const verdicts = ["failed", "failed", "good", "good", "good", "failed", "good"] as const;
  const entered: number[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    if ((await gate.enter("a", size, now)) !== 0) continue;
    entered.push(index);
    gate.leave("a", size, verdict);
  }
  expect(entered).toEqual([0, 1, 2, 3, 4, 5]);
});
