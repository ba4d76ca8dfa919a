import { expect, vi } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import type { Database } from "../../src/store/db.ts";
import { ourBooks, sandboxBooks, type TestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import type { KilledShop } from "./killed-shop.ts";

/** What must be true of a shop's payments in the end, whichever process was killed on the way. */

const WAIT = { timeout: 90_000, interval: 20 };

type Ended = { readonly kind: string; readonly state: string; readonly reference: string; readonly attempts: number };

function listEnds(db: Database, projectId: Id): Promise<Ended[]> {
  return db.run<Ended>({
    text: `select case when product = 'ecom' then 'card' else direction end as kind, state, reference,
                  attempt_count as attempts from payments where project_id = $1`,
    values: [projectId],
  });
}

/** Pay-ins and payouts all succeed; a card does, or it was never sent. The provider moved money once for each success. */
export async function expectEachOnce(db: Database, sandbox: TestSandbox, projectId: Id, count: number): Promise<void> {
  const ends = await listEnds(db, projectId);
  expect(ends).toHaveLength(count);
  const odd = ends.filter(({ kind, state }) => state !== "success" && !(kind === "card" && state === "decline"));
  expect(odd).toEqual([]);
  expect(new Set(ends.map(({ attempts }) => attempts))).toEqual(new Set([1]));
  const page = await sandbox.listEntries({ projectId, limit: 1_000 });
  const paid = ends.filter(({ state }) => state === "success").map(({ reference }) => reference);
  expect(page?.entries.map(({ reference }) => reference).sort()).toEqual(paid.sort());
  expect(await ourBooks(db, projectId)).toEqual(await sandboxBooks(sandbox, projectId));
}

type Written = { readonly id: string; readonly requestId: string; readonly sequence: number };

/** What was written was received and nothing else, the last one of every payment too, and each payment's in their order. */
export async function expectAllTold(db: Database, { receiver }: KilledShop, projectId: Id): Promise<void> {
  const pending = {
    text: "select count(*)::int as count from callbacks where project_id = $1 and state <> 'delivered'",
    values: [projectId],
  };
  await vi.waitFor(async () => expect(await db.run(pending)).toEqual([{ count: 0 }]), WAIT);
  const written = await db.run<Written>({
    text: `select id, request_id as "requestId", sequence from callbacks where project_id = $1`,
    values: [projectId],
  });
  const received = receiver.received.map(({ body }) => body.event.id);
  expect([...new Set(received)].sort()).toEqual(written.map(({ id }) => id).sort());
  const untold = await db.run({
    text: `select p.request_id from payments p where p.project_id = $1 and not exists (
             select from callbacks c where c.project_id = p.project_id and c.request_id = p.request_id and c.sequence = p.sequence)`,
    values: [projectId],
  });
  expect(untold).toEqual([]);
  for (const { requestId } of written) {
    const firsts = [...new Set(receiver.sequencesOf(requestId))];
    expect(firsts).toEqual(firsts.toSorted((one, other) => one - other));
  }
}
