import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLog } from "../platform/log.ts";
import { type Lease, type LeaseKeeper, openLeaseKeeper } from "./lease-keeper.ts";

type Name = { readonly id: string };

beforeEach(() => vi.useFakeTimers());
const opened: LeaseKeeper<Name>[] = [];
afterEach(() => {
  for (const keeper of opened.splice(0)) keeper.close();
  vi.useRealTimers();
});

const BEGAN = new Date("2026-01-31T10:00:10.000Z");

/** A database that renews what it is told to, ten seconds from the test's clock. */
function aKeeper(answer: (leases: readonly Lease<Name>[]) => Promise<readonly (Date | undefined)[]> = renewAll) {
  const renewed: string[][] = [];
  const warned: string[] = [];
  const keeper = openLeaseKeeper<Name>({
    log: openLog({ level: "warn", destination: { write: (line: string) => void warned.push(line) } }),
    renew: (leases) => {
      renewed.push(leases.map(({ id, leaseUntil }) => `${id} ${leaseUntil.toISOString()}`));
      return answer(leases);
    },
  });
  opened.push(keeper);
  return { keeper, renewed, warned };
}

async function renewAll(leases: readonly Lease<Name>[]): Promise<Date[]> {
  return leases.map(({ leaseUntil }) => new Date(leaseUntil.getTime() + 3_000));
}

it("asks nothing of the database for what ends soon", async () => {
  const { keeper, renewed } = aKeeper();
  const lease = keeper.keep({ id: "a" }, BEGAN, performance.now());
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await lease.settle()).toEqual(BEGAN);
  lease.drop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(renewed).toEqual([]);
});

it("renews all that is held for long with one statement, again and again, and says what the end is by now", async () => {
  const { keeper, renewed } = aKeeper();
  const [one] = [
    keeper.keep({ id: "a" }, BEGAN, performance.now()),
    keeper.keep({ id: "b" }, BEGAN, performance.now()),
  ];
  await vi.advanceTimersByTimeAsync(5_000);
  const second = "2026-01-31T10:00:13.000Z";
  expect(renewed).toEqual([
    [`a ${BEGAN.toISOString()}`, `b ${BEGAN.toISOString()}`],
    [`a ${second}`, `b ${second}`],
  ]);
  expect(await one?.settle()).toEqual(new Date("2026-01-31T10:00:16.000Z"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one?.isHeld()).toBe(false);
});

it("does not give a lease back while it is being renewed: its end would not be known", async () => {
  let answer = (_ends: readonly Date[]): void => undefined;
  const { keeper } = aKeeper(() => new Promise((resolve) => (answer = resolve)));
  const lease = keeper.keep({ id: "a" }, BEGAN, performance.now());
  await vi.advanceTimersByTimeAsync(2_500);
  const settled = vi.fn();
  const settling = lease.settle().then(settled);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(settled).not.toHaveBeenCalled();
  const renewedTo = new Date("2026-01-31T10:00:12.500Z");
  answer([renewedTo]);
  await settling;
  expect(settled).toHaveBeenCalledWith(renewedTo);
});

it("knows when a lease was not renewed in time, tries until then, and warns without a flood", async () => {
  const { keeper, renewed, warned } = aKeeper(() => Promise.reject(new Error("the database is away")));
  const lease = keeper.keep({ id: "a" }, BEGAN, performance.now());
  await vi.advanceTimersByTimeAsync(9_999);
  expect(lease.isHeld()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(lease.isHeld()).toBe(false);
  expect(renewed.length).toBeGreaterThan(10);
  expect(warned.length).toBeLessThanOrEqual(2);
});

it("counts from when the lease was asked for: what a process that stood still reads late is not held, and is renewed soon", async () => {
  const { keeper, renewed } = aKeeper();
  const lease = keeper.keep({ id: "a" }, BEGAN, performance.now() - 10_000);
  expect(lease.isHeld()).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  expect(renewed.length).toBe(1);
  expect(lease.isHeld()).toBe(true);
});
