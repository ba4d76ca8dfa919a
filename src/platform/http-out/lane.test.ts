import { describe, expect, it } from "vitest";
import type { Connection } from "./connection.ts";
import { openLane } from "./lane.ts";
import { openStop } from "./stop.ts";

/** The bookkeeping alone, with connections that lead nowhere and end when a test says so. */
function openTestLane(connectionsMax: number) {
  const made: { connection: Connection; isDiscarded: boolean; disconnect: () => void }[] = [];
  let emptied = 0;
  const lane = openLane({
    connect: (disconnect) => {
      const entry = {
        isDiscarded: false,
        disconnect,
        connection: {
          dispatch: () => {},
          beginAnswer: () => {},
          discard: async () => {
            entry.isDiscarded = true;
          },
        },
      };
      made.push(entry);
      return entry.connection;
    },
    connectionsMax,
    waitTimeoutMs: 300_000,
    onEmpty: () => {
      emptied += 1;
    },
  });
  const stop = openStop();
  const take = async (): Promise<Connection> => {
    const taken = await lane.take(stop);
    if (!taken.ok) throw new Error(taken.error);
    return taken.value;
  };
  return { lane, take, made, emptied: () => emptied };
}

describe("a lane", () => {
  it("lends the connection that was used last", async () => {
    const { lane, take } = openTestLane(3);
    const [first, second] = [await take(), await take()];
    lane.giveBack(second, "reuse");
    lane.giveBack(first, "reuse");
    expect(await take()).toBe(first);
    expect(await take()).toBe(second);
  });

  it("forgets an idle connection that ended, and is empty after the last", async () => {
    const { lane, take, made, emptied } = openTestLane(1);
    const first = await take();
    lane.giveBack(first, "reuse");
    made[0]?.disconnect();
    expect(made[0]?.isDiscarded).toBe(true);
    expect(emptied()).toBe(1);
    expect(await take()).not.toBe(first);
  });

  it("leaves a lent connection to its borrower when its socket ends", async () => {
    const { lane, take, made, emptied } = openTestLane(1);
    const first = await take();
    made[0]?.disconnect();
    expect(made[0]?.isDiscarded).toBe(false);
    lane.giveBack(first, "reuse");
    expect(await take()).toBe(first);
    expect(emptied()).toBe(0);
  });

  it("serves those who wait in their order, with what comes back or with a new connection", async () => {
    const { lane, take, made } = openTestLane(1);
    const first = await take();
    const waiting = [take(), take()];
    lane.giveBack(first, "reuse");
    expect(await waiting[0]).toBe(first);
    lane.giveBack(first, "discard");
    expect(await waiting[1]).toBe(made[1]?.connection);
    expect(made.map(({ isDiscarded }) => isDiscarded)).toEqual([true, false]);
  });

  it("keeps nothing once it is retired, but serves to the end", async () => {
    const { lane, take, made, emptied } = openTestLane(2);
    const [first, second] = [await take(), await take()];
    const waiting = take();
    lane.retire();
    expect(emptied()).toBe(0);
    lane.giveBack(first, "reuse");
    expect(await waiting).toBe(first);
    lane.giveBack(second, "reuse");
    lane.giveBack(first, "reuse");
    expect(made.map(({ isDiscarded }) => isDiscarded)).toEqual([true, true]);
    expect(emptied()).toBe(1);
  });
});
