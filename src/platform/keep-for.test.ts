import { expect, it } from "vitest";
import { keepFor } from "./keep-for.ts";

const LONG_MS = 3_600_000;

it("shares one read among the callers of a while", async () => {
  let reads = 0;
  const read = keepFor(LONG_MS, async () => {
    reads += 1;
    return reads;
  });
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(await read()).toBe(1);
});

it("reads again once the while is over", async () => {
  let reads = 0;
  const read = keepFor(0, async () => {
    reads += 1;
    return reads;
  });
  expect([await read(), await read()]).toEqual([1, 2]);
});

it("reads again after a read that failed", async () => {
  let reads = 0;
  const read = keepFor(LONG_MS, async () => {
    reads += 1;
    if (reads === 1) throw new Error("no connection");
    return reads;
  });
  await expect(read()).rejects.toThrow("no connection");
  expect(await read()).toBe(2);
});
