import { createHash } from "node:crypto";
import type { SandboxDatabase } from "./database.ts";
import type { IssuedRequisites } from "./requisites.ts";
import type { PayinScenario } from "./scenario.ts";
import type { PayinRequestBody } from "./wire.ts";

/** A request's answer as JSON text, and the hash of the request that made it. */
export type StoredRequest = { readonly answer: string; readonly request_hash: string };

/** Where `expires_at` is left out: the clock of a project can be moved between a request and its repetition. */
export function hashPayin(body: PayinRequestBody): string {
  const { reference, project_id, method, amount, currency, bank } = body;
  return hashOf([reference, project_id, method, amount, currency, bank?.symbol ?? null, bank?.required ?? null]);
}

export function hashOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** Does nothing when the reference is taken, or the requisite is lent to another open order of the same amount. */
export async function insertPayin(
  db: SandboxDatabase,
  body: PayinRequestBody,
  scenario: PayinScenario,
  requisites: IssuedRequisites | undefined,
): Promise<boolean> {
  const rows = await db.run(INSERT_PAYIN, [
    body.reference,
    body.project_id,
    hashPayin(body),
    body.method,
    body.currency,
    body.amount,
    requisites === undefined ? "no_requisites" : "active",
    requisites?.type ?? null,
    requisites?.value ?? null,
    requisites?.holder ?? null,
    requisites?.bank ?? null,
    requisites?.bankName ?? null,
    requisites === undefined ? "never" : scenario.arrivesOn,
    scenario.arrivesAfterS,
    BigInt(body.amount) + scenario.extraMinor,
    body.expires_at,
  ]);
  return rows.length > 0;
}

const INSERT_PAYIN = `
with made as (
  insert into sandbox.payins
    (reference, project_id, request_hash, method, currency, amount, status, requisite_type, requisite_value, holder, bank,
     bank_name, arrives_on, arrives_after_s, arrives_amount, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
  on conflict do nothing
  returning reference, project_id, arrives_on, arrives_after_s, arrives_amount, expires_at
), expected as (
  insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
  select reference, project_id, arrives_on, arrives_amount,
    case arrives_on when 'requisites' then now() else expires_at end + arrives_after_s * interval '1 second'
  from made where arrives_on in ('requisites', 'expiry')
)
select reference from made`;

export async function findPayin(db: SandboxDatabase, reference: string): Promise<StoredRequest | undefined> {
  const rows = await db.run<StoredRequest>(
    "select answer, request_hash from sandbox.payin_answers where reference = $1",
    [reference],
  );
  return rows[0];
}

/** Only the first report counts. It counts after a release too: the payer did send the money. */
export async function confirmPayin(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `with confirmed as (
       update sandbox.payins set confirmed_at = now()
       where reference = $1 and confirmed_at is null and status <> 'no_requisites'
       returning reference, project_id, arrives_on, arrives_after_s, arrives_amount
     )
     insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
     select reference, project_id, arrives_on, arrives_amount, now() + arrives_after_s * interval '1 second'
     from confirmed where arrives_on = 'confirm'`,
    [reference],
  );
}

/** A request that was cancelled stays so, but its payer may still send what the scenario says. */
export async function releasePayin(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `with released as (
       update sandbox.payins set closed_at = now(), status = case status when 'active' then 'closed' else status end
       where reference = $1 and closed_at is null and status <> 'no_requisites'
       returning reference, project_id, arrives_on, arrives_after_s, arrives_amount
     )
     insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
     select reference, project_id, arrives_on, arrives_amount, now() + arrives_after_s * interval '1 second'
     from released where arrives_on = 'release'`,
    [reference],
  );
}

/** The provider takes its requisites back on its own. */
export async function cancelPayin(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run("update sandbox.payins set status = 'cancelled' where reference = $1 and status = 'active'", [
    reference,
  ]);
}

/** A tester sends money for the request, whatever its state; a request without requisites cannot get any. */
export async function sendMoney(db: SandboxDatabase, reference: string, amount: number): Promise<void> {
  await db.run(
    `insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'arrived', reference, project_id, currency, $2, 'tester'
     from sandbox.payins where reference = $1 and status <> 'no_requisites'`,
    [reference, amount],
  );
}

/** The provider takes the last money of a request back, as a bank does after a report of fraud. */
export async function takeMoneyBack(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `insert into sandbox.book_entries (direction, reference, project_id, currency, amount, cause)
     select 'left', e.reference, e.project_id, e.currency, e.amount, 'taken back ' || e.id
     from sandbox.book_entries e
     where e.reference = $1 and e.direction = 'arrived' and e.cause not in ('charge', 'return')
     order by e.id desc limit 1
     on conflict do nothing`,
    [reference],
  );
}
