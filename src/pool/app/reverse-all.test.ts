import fc from "fast-check";
import { expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { aProject, minor, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openPoolRig } from "../../testing/rigs/pool-rig.ts";
import { moveSuspense, reverseMove } from "../../testing/rigs/with-pool.ts";
import { sizeOf } from "../../testing/run/run-form.ts";
import { explainCost } from "./explain-cost.ts";
import type { ReportedAccount } from "./reported-lines.ts";
import { reverseBankLine } from "./reverse-bank-line.ts";

/**
 * Operators record, explain, return, assign and take back in any order. What is refused changes nothing; and whatever was
 * done, taking all of it back from the last to the first leaves every account as it was.
 */
const { db } = useTestDatabase();
const rig = openPoolRig(db, testKeyring());

const RUNS = sizeOf({ short: 8, long: 40 });
const STEPS_MAX = 16;
const WORDS = { reason: "a slip", actor: "olga" } as const;

type Step = {
  readonly kind: "credit" | "debit" | "explain" | "return" | "returnByHand" | "assign" | "reverse";
  readonly which: number;
  readonly amount: number;
};

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("credit", "credit", "debit", "explain", "return", "returnByHand", "assign", "reverse"),
  which: fc.nat({ max: 1_000 }),
  amount: fc.integer({ min: 1, max: 3 }).map((hundreds) => hundreds * 100),
});

/** Each of them does something, whatever chance brings besides. */
const EVERY_KIND: Step[] = (
  ["credit", "credit", "credit", "return", "debit", "explain", "debit", "reverse"] as const
).map((kind, index) => ({ kind, which: index, amount: 300 }));
EVERY_KIND.push({ kind: "credit", which: 0, amount: 300 }, { kind: "assign", which: 3, amount: 100 });
EVERY_KIND.push({ kind: "returnByHand", which: 3, amount: 100 });

type Reversible = { readonly undo: () => Promise<boolean> };

async function sums(): Promise<string> {
  const rows = await db.run<{ account: string; sum: bigint }>({
    text: `select account, sum(amount)::bigint as sum from entries group by account having sum(amount) <> 0 order by account`,
  });
  return rows.map(({ account, sum }) => `${account} ${sum}`).join(", ");
}

function operatorOf(account: ReportedAccount, projectId: Id) {
  const credits: Id[] = [];
  const debits: string[] = [];
  const entries: Reversible[] = [];
  const pick = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)];
  const line = (reference: string) => async () => (await reverseBankLine(db, { account, reference, ...WORDS })).ok;

  async function record(direction: "credit" | "debit", amount: number): Promise<void> {
    const reference = newId();
    const [recorded] = await rig.record([{ account, reference, amount, direction, at: new Date() }]);
    if (recorded?.kind !== "recorded") throw new Error("a new line is recorded");
    if (direction === "credit") credits.push(recorded.requestId as Id);
    else debits.push(reference);
    entries.push({ undo: line(reference) });
  }

  async function move(requestId: Id, { kind, amount }: Step): Promise<void> {
    const reference = newId();
    const through = kind === "returnByHand" ? "manual" : undefined;
    const target =
      kind === "assign" ? ({ kind: "to_balance", projectId } as const) : ({ kind: "return", through } as const);
    const moved = await moveSuspense(db, { requestId, target, amount: minor(amount), reference, ...WORDS });
    if (!moved.ok) return;
    entries.push({ undo: async () => (await reverseMove(db, { requestId, reference, ...WORDS })).ok });
  }

  async function take(given: Step): Promise<void> {
    if (given.kind === "credit" || given.kind === "debit") return record(given.kind, given.amount);
    if (given.kind === "explain") {
      const reference = pick(debits, given.which);
      if (reference === undefined) return;
      const explained = await explainCost(db, { account, reference, ...WORDS });
      if (explained.ok && !explained.value.repeated) entries.push({ undo: line(reference) });
      return;
    }
    if (given.kind === "reverse") return tryReverse(given.which);
    const requestId = pick(credits, given.which);
    if (requestId !== undefined) await move(requestId, given);
  }

  async function tryReverse(which: number): Promise<void> {
    const entry = pick(entries, which);
    if (entry === undefined) return;
    const before = await sums();
    if (await entry.undo()) entries.splice(entries.indexOf(entry), 1);
    else expect(await sums()).toBe(before);
  }

  return { take, entries };
}

it("taking everything back leaves every account as it was, in whatever order it was done", async () => {
  const done = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: STEPS_MAX }), async (steps) => {
      const account = await anAccount(db, testKeyring());
      const { projectId } = await aProject(db, "live");
      const operator = operatorOf(account, projectId);
      const before = await sums();
      for (const each of steps) {
        const count = operator.entries.length;
        await operator.take(each);
        if (operator.entries.length !== count) done.add(each.kind);
      }
      // Of a debit that was explained, the first reversal takes the explanation back, and the second the line.
      for (const entry of operator.entries.reverse()) expect(await entry.undo()).toBe(true);
      expect(await sums()).toBe(before);
    }),
    { numRuns: RUNS, endOnFailure: true, examples: [[EVERY_KIND]] },
  );
  // A generator that never made a case would prove nothing about it.
  expect([...done].sort()).toEqual(["assign", "credit", "debit", "explain", "return", "returnByHand", "reverse"]);
}, 120_000);
