import { expect, it } from "vitest";
import { openLots } from "./lots.ts";

it("does together what arrives together, and gathers the next lot meanwhile", async () => {
  const written: (readonly number[])[] = [];
  const add = openLots(async (items: readonly number[]) => {
    written.push(items);
    await new Promise(setImmediate);
    return items.map((item) => item * 2);
  });
  const first = [1, 2, 3].map(add);
  await expect.poll(() => written.length).toBe(1);
  const second = [4, 5].map(add);
  expect(await Promise.all([...first, ...second])).toEqual([2, 4, 6, 8, 10]);
  expect(written).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it("lets an item that cannot be written fail alone, and goes on", async () => {
  const add = openLots(async (items: readonly number[]) => {
    if (items.includes(13)) throw new Error("unlucky");
    return items.map((item) => item * 2);
  });
  const results = await Promise.allSettled([1, 13, 3].map(add));
  expect(results).toMatchObject([
    { status: "fulfilled", value: 2 },
    { status: "rejected", reason: new Error("unlucky") },
    { status: "fulfilled", value: 6 },
  ]);
  expect(await add(4)).toBe(8);
});
