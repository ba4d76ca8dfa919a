import { describe, expect, it } from "vitest";
import { openGroupCommit } from "./group-commit.ts";

/** Less than the time after which it is quiet again, and more than a busy machine takes for two turns of its loop. */
const LINGER_MS = 80;
/** Longer than any machine is busy: what comes of such an item came by something else than its time. */
const PATIENT = 100;
const PATIENT_MS = 60_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A writer that answers at once, and remembers its batches. */
function aCommit(itemsMax = 100) {
  const batches: number[][] = [];
  const commit = openGroupCommit({
    itemsMax,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: String,
    lingerMsOf: (item: number) => (item < 0 ? 0 : item < PATIENT ? LINGER_MS : PATIENT_MS),
    write: async (items) => {
      batches.push([...items]);
      return items;
    },
  });
  return { commit, batches };
}

/** Four come together, and the writer expects more. */
async function aCrowd(itemsMax?: number) {
  const crowd = aCommit(itemsMax);
  await Promise.all([1, 2, 3, 4].map(crowd.commit));
  return crowd;
}

describe("a batch waits for company", () => {
  it("not while little is going on", async () => {
    const { commit, batches } = aCommit();
    for (const item of [1, 2, 3]) {
      const written = commit(item);
      await turn();
      await turn();
      expect(batches.at(-1)).toEqual([item]);
      await written;
    }
  });

  it("after a large one, and takes along what comes meanwhile", async () => {
    const { commit, batches } = await aCrowd();
    const beganMs = performance.now();
    const first = commit(5);
    await turn();
    await turn();
    expect(batches).toHaveLength(1);
    await Promise.all([first, commit(6)]);
    expect(batches.at(-1)).toEqual([5, 6]);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(LINGER_MS - 2);
  });

  it("no longer than its most urgent item", async () => {
    const { commit, batches } = await aCrowd();
    const patient = commit(PATIENT);
    await turn();
    await turn();
    const beganMs = performance.now();
    await commit(-6);
    expect(performance.now() - beganMs).toBeLessThan(PATIENT_MS / 2);
    expect(batches.at(-1)).toEqual([PATIENT, -6]);
    await patient;
  });

  it("not once it is full", async () => {
    const { commit, batches } = await aCrowd(4);
    const all = [PATIENT, PATIENT + 1, PATIENT + 2].map(commit);
    await turn();
    await turn();
    expect(batches).toHaveLength(1);
    await commit(PATIENT + 3);
    expect(batches.at(-1)).toEqual([PATIENT, PATIENT + 1, PATIENT + 2, PATIENT + 3]);
    await Promise.all(all);
  });

  it("not when it has been quiet since", async () => {
    const { commit, batches } = await aCrowd();
    await new Promise((resolve) => setTimeout(resolve, 120));
    const written = commit(5);
    await turn();
    await turn();
    expect(batches.at(-1)).toEqual([5]);
    await written;
  });
});
