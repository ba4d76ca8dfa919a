import { expect, it, vi } from "vitest";
import { inPortions } from "./in-portions.ts";

it("writes every line once and in order: when there are enough, when asked, and after a while", async () => {
  const portions: string[] = [];
  const log = inPortions((text) => portions.push(text));
  log.write("a\n");
  log.write("b\n");
  expect(portions).toEqual([]);
  log.flush();
  log.flush();
  expect(portions).toEqual(["a\nb\n"]);
  for (let count = 0; count < 100; count += 1) log.write(`${"x".repeat(99)}\n`);
  expect(portions.length).toBeGreaterThan(1);
  await vi.waitFor(() => expect(portions.join("").split("\n")).toHaveLength(103), { timeout: 60_000 });
});
