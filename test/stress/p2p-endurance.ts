import { expect, vi } from "vitest";
import type { SandboxFault } from "../../src/connectors/sandbox/control.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Database } from "../../src/store/db.ts";
import { hintByReference } from "../../src/store/payments/claims.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import { type MerchantClient, payinBody, payoutBody } from "../../src/testing/service/merchant-client.ts";
import { ourBooks, sandboxBooks, type TestSandbox } from "../../src/testing/service/test-sandbox-control.ts";

/** A crowd of payments, a provider that goes wrong in every way it can, and what must be true in the end. */

const CREDITED = 10_000_000_000;

/** What goes wrong with answers: now and then, and for every call. */
const ANSWER_FAULTS = ["slow", "error500_after_success", "error500_before", "garbage", "reset"] as const;
const CALLS = ["create", "confirm", "release", "state"] as const;
const NOTIFICATION_FAULTS = ["duplicate", "out_of_order", "garbage"] as const;
/** Longer than the connector waits. */
const TOO_SLOW_MS = 6_000;
const SLOW_MS = 150;

/** In turns, so that each kind of trouble meets payments of every kind and at every moment. */
export async function addFaults(sandbox: TestSandbox, projectId: Id, rounds: number): Promise<void> {
  const faults: SandboxFault[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of ANSWER_FAULTS) {
      for (const call of CALLS) {
        faults.push({ projectId, kind, call, ms: round === 0 ? TOO_SLOW_MS : SLOW_MS, times: 2 });
      }
    }
    for (const kind of NOTIFICATION_FAULTS) faults.push({ projectId, kind, call: "notification", times: 4 });
  }
  for (const fault of faults) expect(await sandbox.addFault(fault)).toBe(true);
}

/** The last digit of each amount; of ten pay-ins and of five payouts in a row each digit comes once. */
const PAYIN_ENDINGS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const PAYOUT_ENDINGS = [0, 1, 2, 3, 4];
/** A pay-in is several times the work of a payout. */
const PAYINS_OF_FIVE = 2;

/** Two pay-ins and three payouts of every five. */
export async function createCrowd(db: Database, client: MerchantClient, count: number): Promise<void> {
  await credit(db, client.projectId, CREDITED);
  const { payins, payouts } = sharesOf(count);
  const amounts = (number: number, from: number, endings: readonly number[]) =>
    Array.from({ length: number }, (_, place) => from + place * 100 + (endings[place % endings.length] ?? 0));
  const calls = [
    ...amounts(payins, 100_000, PAYIN_ENDINGS).map((amount) =>
      client.payin(payinBody(client.projectId, { payment: { amount } })),
    ),
    ...amounts(payouts, 10_000, PAYOUT_ENDINGS).map((amount) =>
      client.payout(payoutBody(client.projectId, { payment: { amount } })),
    ),
  ];
  const statuses = new Set((await Promise.all(calls)).map(({ status }) => status));
  expect(statuses).toEqual(new Set([200]));
}

function sharesOf(count: number): { readonly payins: number; readonly payouts: number } {
  const payins = (count * PAYINS_OF_FIVE) / 5;
  return { payins, payouts: count - payins };
}

/** Payers who go away. Of those whose transfer never arrives, every second one says that he sent it. */
function isSilent(amount: number): boolean {
  const ending = amount % 10;
  return ending === 4 || (ending === 2 && Math.floor(amount / 100) % 20 < 10);
}

type Waiting = { readonly payment_id: string; readonly amount: number };

/** The merchant's payers: most confirm as soon as they have requisites, some go away, some change their minds. */
async function confirmAndCancel(db: Database, client: MerchantClient): Promise<void> {
  const waiting = await db.run<Waiting>({
    text: `select payment_id, requested_amount::float8 as amount from payments
            where project_id = $1 and direction = 'payin' and state = 'processing:awaiting_confirm'`,
    values: [client.projectId],
  });
  await Promise.all(
    waiting.map(({ payment_id, amount }) => {
      if (amount % 10 === 6) return client.payinCancel(payment_id);
      return isSilent(amount) ? undefined : client.payinConfirm(payment_id);
    }),
  );
}

type Unfinished = { readonly reference: string | null; readonly state: string; readonly amount: number };

/** One that the payer has still to confirm counts: it may have got its requisites since the payers last looked. */
function isOnTheWay({ state, amount }: Unfinished): boolean {
  if (state === "processing:awaiting_confirm") return !isSilent(amount);
  if (state === "processing:paid") return amount % 10 !== 2;
  if (state === "processing:payout_process") return amount % 10 !== 3;
  return state === "processing:new" || state === "processing:requisites";
}

/**
 * Those of which more is to come before time passes: their provider has still to say or to be told something. By their references,
 * which those that no provider was asked for have not.
 */
async function listOnTheWay(db: Database, projectId: Id): Promise<(string | null)[]> {
  const rows = await db.run<Unfinished>({
    text: `select reference, state, requested_amount::float8 as amount from payments
            where project_id = $1 and state like 'processing:%'`,
    values: [projectId],
  });
  return rows.filter(isOnTheWay).map(({ reference }) => reference);
}

async function countStates(db: Database, projectId: Id): Promise<Record<string, number>> {
  const rows = await db.run<{ state: string; count: number }>({
    text: `select direction || ' ' || state as state, count(*)::int as count from payments
            where project_id = $1 group by 1 order by 1`,
    values: [projectId],
  });
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** All that time can bring has come: lifetimes, graces, time-outs, and the last late transfers. */
export async function letTimePass(sandbox: TestSandbox, projectId: Id): Promise<void> {
  // In steps, as time passes: a transfer that comes within the grace must find it open.
  for (const seconds of [850, 60, 60, 900, 900, 1_900]) await sandbox.passTime(projectId, seconds);
}

/** What becomes of a crowd of so many, whatever went wrong on the way. */
function statesOf(count: number): Record<string, number> {
  const { payins, payouts } = sharesOf(count);
  const ofEnding = payins / PAYIN_ENDINGS.length;
  const ofPayoutEnding = payouts / PAYOUT_ENDINGS.length;
  return {
    "payin decline": ofEnding * 2.5,
    "payin dispute:confirm_timeout": ofEnding * 0.5,
    "payin dispute:different_amount": ofEnding,
    "payin success": ofEnding * 6,
    "payout decline": ofPayoutEnding,
    "payout dispute:payout_failed": ofPayoutEnding,
    "payout dispute:payout_timeout": ofPayoutEnding,
    "payout success": ofPayoutEnding * 2,
  };
}

const WAIT = { timeout: 90_000, interval: 250 };

/**
 * Every payment has ended as it must, our clearing account is what the provider's own books say, nobody was asked under a
 * second reference, and no dispute is forgotten.
 */
export async function expectAllIsWell(
  db: Database,
  sandbox: TestSandbox,
  { projectId }: MerchantClient,
  count: number,
): Promise<void> {
  await vi.waitFor(async () => expect(await countStates(db, projectId)).toEqual(statesOf(count)), WAIT);
  await vi.waitFor(async () => {
    expect(await ourBooks(db, projectId)).toEqual(await sandboxBooks(sandbox, projectId));
  }, WAIT);
  const [row] = await db.run<{ attempts: number; forgotten: number }>({
    text: `select (select max(number) from attempts where project_id = $1) as attempts,
                  (select count(*)::int from payments
                    where project_id = $1 and due_at is null and state not in ('success', 'decline')) as forgotten`,
    values: [projectId],
  });
  expect(row).toEqual({ attempts: 1, forgotten: 0 });
}

/** The last few may have lost all their news, and would be looked at in a minute: their provider tells of them again. */
const FEW = 20;

/** Payers confirm, cancel or go away until no more than so many payments are on the way. */
export async function playPayers(db: Database, client: MerchantClient, until = 0): Promise<void> {
  await vi.waitFor(
    async () => {
      await confirmAndCancel(db, client);
      const left = await listOnTheWay(db, client.projectId);
      if (left.length <= FEW) {
        await hintByReference(
          db,
          left.flatMap((reference) => (reference === null ? [] : [{ provider: "sandbox", reference }])),
        );
      }
      expect(left.length).toBeLessThanOrEqual(until);
    },
    { timeout: 90_000, interval: 250 },
  );
}
