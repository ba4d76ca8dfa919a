import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aTakenCallback } from "../../testing/builders/taken-callback.ts";
import { addToChain, type Chain, isItsTurn, newChain } from "./callback-chain.ts";

function chainOf(...sequences: readonly number[]): Chain {
  const chain = newChain("r url");
  for (const sequence of sequences) addToChain(chain, aTakenCallback({ sequence }));
  return chain;
}

describe("a chain", () => {
  it("is in the order of its sequence, whatever the order in which its callbacks come", () => {
    const orders = fc.shuffledSubarray([2, 3, 4, 5, 6, 7], { minLength: 1 });
    fc.assert(
      fc.property(orders, (sequences) => {
        const { waiting } = chainOf(...sequences);
        expect(waiting.map(({ sequence }) => sequence)).toEqual(sequences.toSorted((a, b) => a - b));
      }),
    );
  });

  it("takes those that come later into what is left of it", () => {
    const chain = chainOf(2, 5);
    expect(chain.waiting.shift()?.sequence).toBe(2);
    addToChain(chain, aTakenCallback({ sequence: 3 }));
    expect(chain.waiting.map(({ sequence }) => sequence)).toEqual([3, 5]);
  });
});

describe("it is a callback's turn", () => {
  it.each([
    ["it waits for nothing", [], [], false, true],
    ["one before it waits elsewhere", [2], [], false, false],
    ["all before it were settled by this chain", [2, 3], [2, 3], false, true],
    ["one of those before it was not", [2, 3], [3], false, false],
    ["it is final and waited long enough", [2, 3], [], true, true],
  ])("when %s (waits for %j, settled %j, goes ahead %s): %s", (_when, waitsFor, settled, goesAhead, turn) => {
    const chain = chainOf();
    for (const sequence of settled) chain.settled.add(sequence);
    expect(isItsTurn(chain, aTakenCallback({ sequence: 4, waitsFor, goesAhead }))).toBe(turn);
  });
});
