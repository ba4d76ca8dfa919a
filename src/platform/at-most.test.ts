import { expect, it } from "vitest";
import { openAtMost, openGate } from "./at-most.ts";

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

it("lets so many in, gives places in turn, and turns away who waited in vain", async () => {
  let places = 2;
  const gate = openGate(() => places, 60_000);
  expect([await gate.enter(), await gate.enter()]).toEqual([true, true]);
  const order: string[] = [];
  const third = gate.enter().then((isIn) => order.push(`third ${isIn}`));
  const fourth = gate.enter().then((isIn) => order.push(`fourth ${isIn}`));
  gate.leave();
  await third;
  expect(order).toEqual(["third true"]);
  gate.leave();
  await fourth;
  expect(order).toEqual(["third true", "fourth true"]);
  // Fewer places than there were: the first who leaves is not followed.
  places = 1;
  const fifth = gate.enter().then((isIn) => order.push(`fifth ${isIn}`));
  gate.leave();
  await new Promise(setImmediate);
  expect(order).toHaveLength(2);
  gate.leave();
  await fifth;
  expect(order.at(-1)).toBe("fifth true");
  const hasty = openGate(() => 1, 1);
  expect([await hasty.enter(), await hasty.enter()]).toEqual([true, false]);
  hasty.leave();
  expect(await hasty.enter()).toBe(true);
});
