import { expect, it } from "vitest";
import { groupReads } from "./group-reads.ts";

function gatedLoader() {
  const calls: { keys: readonly string[]; open: () => void; break: (error: Error) => void }[] = [];
  const load = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) => {
      const number = calls.length + 1;
      const open = () => resolve(new Map(keys.map((key) => [key, `${key} of read ${number}`])));
      calls.push({ keys, open, break: reject });
    });
  return { calls, load };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("answers those who ask together with one read, and those who ask later with a later one", async () => {
  const { calls, load } = gatedLoader();
  const read = groupReads(load, 1);
  const early = [read("a"), read("b"), read("a")];
  await turn();
  expect(calls.map((call) => call.keys)).toEqual([["a", "b"]]);
  const late = [read("a"), read("c")];
  await turn();
  expect(calls).toHaveLength(1);
  calls[0]?.open();
  expect(await Promise.all(early)).toEqual(["a of read 1", "b of read 1", "a of read 1"]);
  await turn();
  expect(calls[1]?.keys).toEqual(["a", "c"]);
  calls[1]?.open();
  // Had the read that was already running answered this one, it could have missed a change made in between.
  expect(await Promise.all(late)).toEqual(["a of read 2", "c of read 2"]);
});

it("fails those of a failed read only", async () => {
  const { calls, load } = gatedLoader();
  const read = groupReads(load, 1);
  const failing = read("a");
  await turn();
  const next = read("a");
  calls[0]?.break(new Error("no database"));
  await expect(failing).rejects.toThrow("no database");
  await turn();
  calls[1]?.open();
  expect(await next).toBe("a of read 2");
});

it("answers undefined for what is not there", async () => {
  const read = groupReads<string, string>(async () => new Map());
  expect(await read("a")).toBeUndefined();
});
