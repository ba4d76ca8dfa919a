import fc from "fast-check";
import { expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type DeskView, stateOf, useDesk } from "../e2e/sandbox-desk.ts";

/**
 * Testers who do whatever the desk offers, in any order and at the same time on one project's clock: the desk never fails, a final
 * state never changes, and the ledger's invariants, which are checked after the test, hold.
 */
const database = useTestDatabase();
const service = useTestService(database);
const desk = useDesk(service, database);

const STEPS_MAX = 6;
const TESTERS = 10;
const ROUNDS = 5;
const OVER = ["success", "decline"];

type Kind = "transfer" | "card" | "payout";

async function walk(kind: Kind, choices: readonly number[]): Promise<string[]> {
  const direction = kind === "payout" ? "payout" : "payin";
  const paymentId = await desk[kind]();
  const states: string[] = [];
  for (const choice of choices) {
    const { actions } = await desk.payment(paymentId, direction);
    const action = actions[choice % actions.length];
    if (action === undefined) break;
    const { status, json } = await desk.tryAct(paymentId, { direction, action });
    // Another tester's clock may have moved it meanwhile.
    expect([200, 409]).toContain(status);
    states.push(status === 200 ? stateOf(json as DeskView) : stateOf(await desk.payment(paymentId, direction)));
  }
  return states;
}

const aWalk = fc.tuple(
  fc.constantFrom<Kind>("transfer", "card", "payout"),
  fc.array(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: STEPS_MAX }),
);

it("whatever testers do together, payments end once and the books are right", { timeout: 1_800_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aWalk, { minLength: TESTERS, maxLength: TESTERS }), async (walks) => {
      const walked = await Promise.all(walks.map(([kind, choices]) => walk(kind, choices)));
      for (const states of walked) {
        const end = states.findIndex((state) => OVER.includes(state));
        if (end >= 0) expect(new Set(states.slice(end)).size).toBe(1);
      }
    }),
    // A payment is made anew each time, and its name is not the same: nothing smaller can be found by running it again.
    { numRuns: ROUNDS, endOnFailure: true },
  );
});
