import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OutOfTime } from "../../platform/deadlines.ts";
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
const ownerOf = (item: number) => `owner of ${item}`;

afterEach(() => vi.useRealTimers());

describe("commits in groups", () => {
  it("takes those who arrive together, then those who arrived meanwhile", async () => {
    const { gates, write } = gatedWriter();
    const commit = openGroupCommit({ write, isFaultOfOneItem: never, ownerOf, itemsMax: 10, writersMax: 1 });
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
    const commit = openGroupCommit({ write, isFaultOfOneItem: never, ownerOf, itemsMax: 2, writersMax: 2 });
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
    const commit = openGroupCommit({ write, isFaultOfOneItem: () => true, ownerOf, itemsMax: 10, writersMax: 1 });
    const results = await Promise.allSettled([1, 2, 3, 4].map((item) => commit(item)));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  });

  it("does not begin what has waited so long that its caller has left", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { gates, write } = gatedWriter();
    const limits = { isFaultOfOneItem: never, ownerOf, itemsMax: 10, writersMax: 1 };
    const commit = openGroupCommit({ ...limits, write, callersLeaveAfterMs: 5_000 });
    const first = commit(1);
    await turn();
    const left = expect(commit(2)).rejects.toBeInstanceOf(OutOfTime);
    vi.advanceTimersByTime(5_000);
    const present = commit(3);
    gates[0]?.open();
    await Promise.all([first, left]);
    await turn();
    expect(gates[1]?.items).toEqual([3]);
    gates[1]?.open();
    expect(await present).toBe("wrote 3");
  });

  it("has one writer while the database is away, and all of them when it is back", async () => {
    const { gates, write } = gatedWriter();
    const commit = openGroupCommit({ write, isFaultOfOneItem: never, ownerOf, itemsMax: 1, writersMax: 2 });
    const all = [1, 2, 3, 4, 5, 6].map((item) => commit(item));
    const settled = Promise.allSettled(all);
    await turn();
    await turn();
    const away = new OutOfTime();
    for (const gate of gates.splice(0)) gate.fail(away);
    await turn();
    await turn();
    expect(gates.map(({ items }) => items)).toEqual([[3]]);
    gates.splice(0)[0]?.open();
    await turn();
    const seventh = commit(7);
    await turn();
    await turn();
    expect(gates.map(({ items }) => items)).toEqual([[4], [5]]);
    for (let done = 0; done < 4; ) {
      for (const gate of gates.splice(0)) {
        gate.open();
        done += 1;
      }
      await turn();
      await turn();
    }
    expect((await settled).map(({ status }) => status)).toEqual([
      ...["rejected", "rejected", "fulfilled", "fulfilled", "fulfilled", "fulfilled"],
    ]);
    expect(await seventh).toBe("wrote 7");
  });

  it("does not try again what may have been committed", async () => {
    let writes = 0;
    const write = async (): Promise<string[]> => {
      writes += 1;
      throw new Error("connection lost");
    };
    const commit = openGroupCommit<number, string>({
      write,
      isFaultOfOneItem: never,
      ownerOf,
      itemsMax: 10,
      writersMax: 1,
    });
    const results = await Promise.allSettled([1, 2, 3].map((item) => commit(item)));
    expect(results.every((result) => result.status === "rejected")).toBe(true);
    expect(writes).toBe(1);
    await expect(commit(4)).rejects.toThrow("connection lost");
  });
});

function lockTimeout(): Error {
  return Object.assign(new pg.DatabaseError("canceling statement due to lock timeout", 0, "error"), { code: "55P03" });
}

describe("while rows of an owner are locked", () => {
  const byHundreds = (item: number) => `owner ${Math.floor(item / 100)}`;

  /** Writes, unless an item is of a locked owner or is locked itself. */
  function lockingWriter() {
    const locked = new Set<number | string>();
    const batches: (readonly number[])[] = [];
    const write = async (items: readonly number[]) => {
      batches.push(items);
      await turn();
      if (items.some((item) => locked.has(item) || locked.has(byHundreds(item)))) throw lockTimeout();
      return items.map((item) => `wrote ${item}`);
    };
    return { locked, batches, write };
  }

  const limits = { isFaultOfOneItem: never, ownerOf: byHundreds, itemsMax: 10, writersMax: 2 };

  it("writes the others of its batch, and what comes later for it comes into no batch of theirs", async () => {
    const { locked, batches, write } = lockingWriter();
    const commit = openGroupCommit({ ...limits, write });
    locked.add("owner 1");
    const [first, second] = [commit(101), commit(201)];
    expect(await second).toBe("wrote 201");
    const from = batches.length;
    const third = commit(102);
    expect(await Promise.all([commit(202), commit(301)])).toEqual(["wrote 202", "wrote 301"]);
    expect(batches.slice(from).filter((items) => new Set(items.map(byHundreds)).size > 1)).toEqual([[202, 301]]);
    locked.clear();
    expect(await Promise.all([first, third])).toEqual(["wrote 101", "wrote 102"]);
    const together = batches.length;
    await Promise.all([commit(103), commit(203)]);
    expect(batches.slice(together)).toEqual([[103, 203]]);
  });

  it("writes those of the same owner that are not locked themselves", async () => {
    const { locked, write } = lockingWriter();
    const commit = openGroupCommit({ ...limits, write });
    locked.add(103);
    const items = [101, 102, 103, 104, 105, 106];
    const all = new Map(items.map((item) => [item, commit(item)]));
    for (const item of items.filter((each) => each !== 103)) expect(await all.get(item)).toBe(`wrote ${item}`);
    locked.clear();
    expect(await all.get(103)).toBe("wrote 103");
  });

  it("refuses what waited too long with what it waited for, and nothing else", async () => {
    const { locked, write } = lockingWriter();
    const commit = openGroupCommit({ ...limits, write, heldUpMaxMs: 20 });
    locked.add("owner 1");
    const results = await Promise.allSettled([commit(101), commit(102), commit(201)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(results[0]).toMatchObject({ reason: { code: "55P03" } });
    locked.clear();
    expect(await commit(103)).toBe("wrote 103");
  });

  it("writes for one owner after the other, however many are held up", async () => {
    const { locked, write } = lockingWriter();
    let atOnce = 0;
    let atOnceMax = 0;
    const counting = async (items: readonly number[], lockWaitMs: number) => {
      atOnce += 1;
      atOnceMax = Math.max(atOnceMax, atOnce);
      return write(items).finally(() => {
        atOnce -= 1;
        expect(lockWaitMs).toBeLessThanOrEqual(1_000);
      });
    };
    const commit = openGroupCommit({ ...limits, write: counting });
    for (const owner of [1, 2, 3, 4, 5]) locked.add(`owner ${owner}`);
    const all = [101, 201, 301, 401, 501, 102, 202].map((item) => commit(item));
    await commit(601);
    for (let turns = 0; turns < 20; turns += 1) await turn();
    expect(atOnceMax).toBeLessThanOrEqual(limits.writersMax + 1);
    locked.clear();
    expect(await Promise.all(all)).toHaveLength(7);
  });
});
