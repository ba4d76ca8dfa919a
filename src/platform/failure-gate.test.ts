import { expect, it } from "vitest";
import { openFailureGate } from "./failure-gate.ts";
import { openTokenBuckets } from "./token-buckets.ts";

const size = { perSecond: 0.001, burst: 3 };
const now = () => 0;
/** So many failures that an address with a good verdict lately is refused too. */
const MANY = size.burst * 100 + 1;
const HOUR_MS = 3_600_000;

function openGate() {
  return openFailureGate(openTokenBuckets(10));
}

type Gate = ReturnType<typeof openGate>;

/** One call, judged at once: whether it was let in. */
async function call(
  gate: Gate,
  verdict: "good" | "failed",
  { address = "a", credential = undefined as string | undefined, nowMs = now } = {},
): Promise<boolean> {
  const pass = await gate.enter({ address, credential }, size, nowMs);
  if (pass.waitMs === 0) pass.leave(verdict);
  return pass.waitMs === 0;
}

async function fail(gate: Gate, times: number, credential?: string): Promise<void> {
  for (let count = 0; count < times; count += 1) await call(gate, "failed", { credential });
}

it("lets any number of good calls through at once, the burst at a time", async () => {
  const gate = openGate();
  let inside = 0;
  let insideMax = 0;
  const calls = Array.from({ length: 50 }, async () => {
    const pass = await gate.enter({ address: "a", credential: undefined }, size, now);
    inside += 1;
    insideMax = Math.max(insideMax, inside);
    await Promise.resolve();
    inside -= 1;
    pass.leave("good");
    return pass.waitMs;
  });
  expect(await Promise.all(calls)).toEqual(calls.map(() => 0));
  expect(insideMax).toBe(3);
});

it("turns away whoever comes after the burst has failed, those who waited for it too", async () => {
  const gate = openGate();
  const calls = Array.from({ length: 20 }, () => call(gate, "failed"));
  expect((await Promise.all(calls)).filter((entered) => entered)).toHaveLength(3);
  expect(await call(gate, "good")).toBe(false);
  expect(await call(gate, "good", { address: "b" })).toBe(true);
});

it("a good call among bad ones still gets in while a token is left", async () => {
  const gate = openGate();
  expect(await call(gate, "failed")).toBe(true);
  expect(await call(gate, "failed")).toBe(true);
  expect(await call(gate, "good")).toBe(true);
});

it("an address with a good verdict lately is not locked by bad ones", async () => {
  const gate = openGate();
  await call(gate, "good", { credential: "key 1" });
  await fail(gate, size.burst * 20, "key 1");
  expect(await call(gate, "good", { credential: "key 1" })).toBe(true);
  expect(await call(gate, "good", { credential: "key 2" })).toBe(true);
  expect(await call(gate, "good")).toBe(true);
});

it("a credential that was good lately is not locked by any number of others' failures", async () => {
  const gate = openGate();
  await call(gate, "good", { credential: "key 1" });
  await fail(gate, MANY, "guess");
  expect(await call(gate, "failed", { credential: "guess" })).toBe(false);
  expect(await call(gate, "good", { credential: "key 1" })).toBe(true);
  // It is known from that address only.
  await fail(gate, size.burst, "guess");
  const elsewhere = { address: "b", credential: "key 1" };
  for (let count = 0; count < size.burst; count += 1) await call(gate, "failed", elsewhere);
  expect(await call(gate, "good", elsewhere)).toBe(false);
});

it("failures stay limited for an address that is known, and for a credential that is known", async () => {
  const gate = openGate();
  await call(gate, "good", { credential: "key 1" });
  await fail(gate, MANY, "key 1");
  expect(await call(gate, "failed", { credential: "key 1" })).toBe(false);
});

it("an hour after the last good verdict the address is a stranger again", async () => {
  const gate = openGate();
  await call(gate, "good");
  const later = { nowMs: () => HOUR_MS };
  for (let count = 0; count < size.burst + 4; count += 1) await call(gate, "failed", later);
  expect(await call(gate, "good", later)).toBe(false);
});

it("counts no failure where a caller could not be judged, and does not take them for a good one", async () => {
  const gate = openGate();
  for (let count = 0; count < 3 * size.burst; count += 1) {
    const pass = await gate.enter({ address: "a", credential: "c" }, size, now);
    expect(pass.waitMs).toBe(0);
    pass.leave("undecided");
  }
  await fail(gate, size.burst, "c");
  expect(await call(gate, "good", { credential: "c" })).toBe(false);
});

it("says whether callers are turned away for failures, or because too many are being judged", async () => {
  const gate = openGate();
  const enter = () => gate.enter({ address: "a", credential: undefined }, size, now);
  const judged = await Promise.all(Array.from({ length: size.burst }, enter));
  const waiting = Array.from({ length: 1_000 }, enter);
  expect(await enter()).toMatchObject({ isCrowded: true });
  for (const pass of judged) pass.leave("failed");
  for (const pass of await Promise.all(waiting)) expect(pass).toMatchObject({ isCrowded: false });
  expect(await enter()).toMatchObject({ isCrowded: false, waitMs: expect.any(Number) });
});
