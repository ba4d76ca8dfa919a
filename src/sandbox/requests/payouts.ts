import type { SandboxDatabase } from "../database.ts";
import type { PayoutEndBody, PayoutRequestBody } from "../wire.ts";
import { hashOf } from "./payins.ts";
import type { PayoutScenario } from "./scenario.ts";

/** A request's answer as JSON text, and the hash of the order that made it. */
export type StoredPayout = { readonly answer: string; readonly request_hash: string };

export function hashPayout(body: PayoutRequestBody): string {
  const { reference, project_id, method, amount, currency, receiver } = body;
  const members = Object.entries(receiver).sort(([left], [right]) => (left < right ? -1 : 1));
  return hashOf([reference, project_id, method, amount, currency, members]);
}

/** Does nothing when the reference is taken. The receiver is kept as a part of the hash only. */
export async function insertPayout(
  db: SandboxDatabase,
  body: PayoutRequestBody,
  scenario: PayoutScenario,
): Promise<void> {
  await db.run(
    `insert into sandbox.payouts
       (reference, project_id, request_hash, method, currency, amount, status, reason, due_status, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 second')
     on conflict do nothing`,
    [
      body.reference,
      body.project_id,
      hashPayout(body),
      body.method,
      body.currency,
      body.amount,
      scenario.status,
      scenario.reason,
      scenario.later?.status ?? null,
      scenario.later?.afterS ?? null,
    ],
  );
}

export async function findPayout(db: SandboxDatabase, reference: string): Promise<StoredPayout | undefined> {
  const rows = await db.run<StoredPayout>(
    "select answer, request_hash from sandbox.payout_answers where reference = $1",
    [reference],
  );
  return rows[0];
}

/** From now on the bank says nothing by itself. */
export async function takePayoutOver(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    "update sandbox.payouts set due_at = null, due_status = null where reference = $1 and due_at is not null",
    [reference],
  );
}

/** A tester plays the bank. What was paid can only come back, once, and what was rejected never went. */
export async function endPayout(db: SandboxDatabase, reference: string, end: PayoutEndBody): Promise<void> {
  if (end.status === "returned") return returnPayout(db, reference);
  await db.run(
    `with ended as (
       update sandbox.payouts set status = $2, reason = $3, due_at = null, due_status = null, updated_at = now()
       where reference = $1 and status not in ('paid', 'rejected')
       returning reference, project_id, currency, amount, status
     )
     insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'left', reference, project_id, currency, amount, 'payout' from ended where status = 'paid'`,
    [reference, end.status, end.reason ?? null],
  );
}

async function returnPayout(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `with returned as (
       update sandbox.payouts set returned_at = now(), updated_at = now()
       where reference = $1 and status = 'paid' and returned_at is null
       returning reference, project_id, currency, amount
     )
     insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'arrived', reference, project_id, currency, amount, 'return' from returned`,
    [reference],
  );
}
