import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginDeadline, within } from "./deadlines.ts";

const LIMIT_MS = 5_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** What is answered, as soon as something is. */
function watch<T>(promise: Promise<T>): () => T | undefined {
  let answer: T | undefined;
  promise.then((value) => {
    answer = value;
  });
  return () => answer;
}

it("answers with the work, and with the late answer only once the time is over", async () => {
  const inTime = watch(within(Promise.resolve("done"), LIMIT_MS, () => "late"));
  const late = watch(within(new Promise<string>(() => undefined), LIMIT_MS, () => "late"));
  await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
  expect([inTime(), late()]).toEqual(["done", undefined]);
  await vi.advanceTimersByTimeAsync(200);
  expect([inTime(), late()]).toEqual(["done", "late"]);
});

it("passes on that the work failed", async () => {
  await expect(within(Promise.reject(new Error("broken")), LIMIT_MS, () => "late")).rejects.toThrow("broken");
});

it("leaves no timer behind", async () => {
  await within(Promise.resolve(1), LIMIT_MS, () => 2);
  expect(vi.getTimerCount()).toBe(0);
});

it("does not count the time in which the caller is waited for", async () => {
  const expire = vi.fn();
  const wait = beginDeadline(LIMIT_MS, expire);
  await vi.advanceTimersByTimeAsync(3_000);
  wait.pause();
  await vi.advanceTimersByTimeAsync(20_000);
  wait.resume();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(expire).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(400);
  expect(expire).toHaveBeenCalledOnce();
});

it("forgets a request that ended", async () => {
  const expire = vi.fn();
  beginDeadline(LIMIT_MS, expire).end();
  await vi.advanceTimersByTimeAsync(2 * LIMIT_MS);
  expect(expire).not.toHaveBeenCalled();
});
