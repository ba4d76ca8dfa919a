import { expect, it } from "vitest";
import { openAtMost } from "./at-most.ts";

it("runs so much at once, all of it in the end, in the order in which it came, whatever fails", async () => {
  const atMost = openAtMost(3);
  const begun: number[] = [];
  let running = 0;
  let runningMax = 0;
  const works = Array.from({ length: 20 }, (_, index) =>
    atMost(async () => {
      begun.push(index);
      running += 1;
      runningMax = Math.max(runningMax, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 4 === 0) throw new Error("failed");
      return index;
    }),
  );
  const ended = await Promise.allSettled(works);
  expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(5);
  expect(begun).toEqual(works.map((_, index) => index));
  expect(runningMax).toBe(3);
});
