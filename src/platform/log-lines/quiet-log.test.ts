import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openLog } from "../log.ts";
import { warnOfError, warnQuietly } from "./quiet-log.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function heardLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const heard = () => lines.splice(0).map(({ time: _time, ...line }) => line);
  return { log: openLog({ level: "info", destination: destination as never }), heard };
}

it("logs the first at once, and the others together with their number and the last one's fields", () => {
  const { log, heard } = heardLog();
  for (let each = 1; each <= 200; each += 1) warnQuietly(log, { reason: `try ${each}` }, "no answer");
  expect(heard()).toEqual([{ level: "warn", reason: "try 1", msg: "no answer" }]);
  vi.advanceTimersByTime(5_000);
  expect(heard()).toEqual([{ level: "warn", reason: "try 200", times: 199, msg: "no answer" }]);
  vi.advanceTimersByTime(60_000);
  expect(heard()).toEqual([]);
});

it("logs at once again after a time without any", () => {
  const { log, heard } = heardLog();
  warnOfError(log, new Error("gone"), "no answer");
  vi.advanceTimersByTime(5_000);
  warnOfError(log, new Error("gone again"), "no answer");
  expect(heard()).toMatchObject([{ reason: "gone" }, { reason: "gone again" }]);
});

it("keeps kinds and logs apart", () => {
  const { log, heard } = heardLog();
  const other = heardLog();
  warnQuietly(log, {}, "one");
  warnQuietly(log, {}, "two");
  warnQuietly(other.log, {}, "one");
  expect(heard()).toMatchObject([{ msg: "one" }, { msg: "two" }]);
  expect(other.heard()).toMatchObject([{ msg: "one" }]);
});
