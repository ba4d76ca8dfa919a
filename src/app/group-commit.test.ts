import { describe, expect, it } from "vitest";
import { openGroupCommit } from "./group-commit.ts";

type Gate = { readonly items: readonly number[]; readonly open: () => void; readonly fail: (error: Error) => void };

function gatedWriter() {
  const gates: Gate[] = [];
  const write = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      gates.push({ items, open: () => resolve(items.map((item) => `wrote ${item}`)), fail: reject });
    });
  return { gates, write };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const never = () => false;

describe("commits in groups", () => {
  it("takes those who arrive together, then those who arrived meanwhile", async () => {
    const { gates, write } = gatedWriter();
    const commit = openGroupCommit({ write, isFaultOfOneItem: never, itemsMax: 10, writersMax: 1 });
    const first = [commit(1), commit(2)];
    await turn();
    expect(gates.map((gate) => gate.items)).toEqual([[1, 2]]);
    const later = [commit(3), commit(4), commit(5)];
    await turn();
    expect(gates).toHaveLength(1);
    gates[0]?.open();
    expect(await Promise.all(first)).toEqual(["wrote 1", "wrote 2"]);
    await turn();
    expect(gates[1]?.items).toEqual([3, 4, 5]);
    gates[1]?.open();
    expect(await Promise.all(later)).toEqual(["wrote 3", "wrote 4", "wrote 5"]);
  });

  it("keeps to its size and to its number of writers", async () => {
    const { gates, write } = gatedWriter();
    const commit = openGroupCommit({ write, isFaultOfOneItem: never, itemsMax: 2, writersMax: 2 });
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => commit(item)));
    await turn();
    await turn();
    expect(gates.map((gate) => gate.items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    gates[0]?.open();
    await turn();
    await turn();
    expect(gates[2]?.items).toEqual([5]);
    gates[1]?.open();
    gates[2]?.open();
    expect(await all).toHaveLength(5);
  });

  it("lets a bad item fail alone", async () => {
    const write = async (items: readonly number[]) => {
      if (items.includes(3)) throw new Error("3 is bad");
      return items.map((item) => `wrote ${item}`);
    };
    const commit = openGroupCommit({ write, isFaultOfOneItem: () => true, itemsMax: 10, writersMax: 1 });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => commit(item)));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  it("does not try again what may have been committed", async () => {
    let writes = 0;
    const write = async (): Promise<string[]> => {
      writes += 1;
      throw new Error("connection lost");
    };
    const commit = openGroupCommit<number, string>({ write, isFaultOfOneItem: never, itemsMax: 10, writersMax: 1 });
    const results = await Promise.allSettled([1, 2, 3].map((item) => commit(item)));
    expect(results.every((result) => result.status === "rejected")).toBe(true);
    expect(writes).toBe(1);
    await expect(commit(4)).rejects.toThrow("connection lost");
  });
});
