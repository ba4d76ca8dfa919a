import { setTimeout as sleep } from "node:timers/promises";
import { expect, vi } from "vitest";
import { hastenLooks, type Line, type TwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import type { TestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import type { KilledShop } from "../stress/killed-shop.ts";

/** What must be true of a crowd of payments in the end, whatever went wrong between A and B. */

/** A card that was never answered is asked about half a minute later, and once more after that. */
const STEP_S = 35;
const STEPS_MAX = 14;
const STEP_EVERY_MS = 1_000;
const WAIT = { timeout: 90_000, interval: 50 };

/** A card cannot wait for a gateway that does not answer: while A's breaker is open its create is refused, and nothing is stored. */
const REFUSED_CARD = "a create was answered 422 no_provider";

/** How many of the creates became payments. Nothing else may have gone wrong, and only cards may have been refused. */
export function countTaken({ faults }: KilledShop, count: number): number {
  expect(faults.filter((fault) => fault !== REFUSED_CARD)).toEqual([]);
  // Every third one is a card.
  expect(faults.length).toBeLessThanOrEqual(count / 3);
  return count - faults.length;
}

const ENDS = new Set(["success", "decline"]);

export async function letAllEnd(
  { a }: TwoGateways,
  { line, shop, sandbox }: { readonly line: Line; readonly shop: KilledShop; readonly sandbox: TestSandbox },
  count: number,
): Promise<void> {
  for (let step = 0; step < STEPS_MAX && shop.ended() < count; step += 1) {
    await sleep(STEP_EVERY_MS);
    await hastenLooks(a, line.shop.projectId, STEP_S);
    await sandbox.passTime(line.account.projectId, STEP_S);
  }
  // First those that are still open, so that a failure names them.
  await vi.waitFor(async () => {
    expect((await listEnds(a, line.shop.projectId)).filter(({ state }) => !ENDS.has(state))).toEqual([]);
    expect(shop.ended()).toBe(count);
  }, WAIT);
}

type Ended = {
  readonly kind: "card" | "payin" | "payout";
  readonly state: string;
  readonly reference: string;
  readonly attempts: number;
  readonly unknownSince: Date | null;
  readonly dueAt: Date | null;
};

async function listEnds({ database }: TwoGateways["a"], projectId: string): Promise<Ended[]> {
  return database.db.run<Ended>({
    text: `select case when product = 'ecom' then 'card' else direction end as kind, state, reference,
                  attempt_count as attempts, unknown_since as "unknownSince", due_at as "dueAt"
             from payments where project_id = $1`,
    values: [projectId],
  });
}

type AtB = { readonly paymentId: string; readonly state: string };

function listAtB({ b }: TwoGateways, projectId: string): Promise<AtB[]> {
  return b.database.db.run<AtB>({
    text: `select payment_id as "paymentId", state from payments where project_id = $1`,
    values: [projectId],
  });
}

/**
 * Pay-ins and payouts all succeed; a card does, or it was never sent. B has one payment for each success of A under A's own
 * reference, and no other that moved money.
 */
export async function expectEachOnce(gateways: TwoGateways, { shop, account }: Line, count: number): Promise<void> {
  const ends = await listEnds(gateways.a, shop.projectId);
  expect(ends).toHaveLength(count);
  expect(ends.filter(({ kind, state }) => state !== "success" && !(kind === "card" && state === "decline"))).toEqual(
    [],
  );
  expect(new Set(ends.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  const paid = ends.filter(({ state }) => state === "success").map(({ reference }) => reference);
  const paidAtB = (await listAtB(gateways, account.projectId)).filter(({ state }) => state === "success");
  expect(paidAtB.map(({ paymentId }) => paymentId).sort()).toEqual(paid.sort());
}
