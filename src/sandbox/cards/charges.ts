import { createHmac } from "node:crypto";
import type { Secret } from "../../platform/secret.ts";
import type { SandboxDatabase } from "../database.ts";
import type { StoredWish } from "../faults.ts";
import type { ChargePlan } from "./plan-charge.ts";
import { maskCard } from "./scenario.ts";
import type { AuthenticationResultBody, ChargeEndBody, ChargeRequestBody } from "./wire.ts";

/**
 * Under a key, because a card's number could be found again from a plain hash. The CVV is left out, so that nothing of it
 * stays; the expiry is, because the clock of a project can be moved; the browser, because it is not what is requested.
 */
export function hashCharge(key: Secret<string>, body: ChargeRequestBody): string {
  const { reference, project_id, merchant_name, amount, currency, card, return_url } = body;
  const { pan, card_holder, expiry_month, expiry_year } = card;
  const parts = [reference, project_id, merchant_name ?? null, amount, currency, return_url];
  return createHmac("sha256", key.reveal())
    .update(JSON.stringify([...parts, pan, card_holder ?? null, expiry_month, expiry_year]))
    .digest("hex");
}

/** A new charge by the names of its columns, and how its payer is to be authenticated, where he is. */
export type NewCharge = Readonly<Record<string, string | number | boolean | object | null>> & {
  readonly reference: string;
};

export function newCharge(body: ChargeRequestBody, requestHash: string, plan: ChargePlan): NewCharge {
  const { authentication } = plan;
  return {
    reference: body.reference,
    project_id: body.project_id,
    request_hash: requestHash,
    merchant_name: body.merchant_name ?? null,
    currency: body.currency,
    amount: body.amount,
    pays_amount: Number(plan.paysAmount),
    masked_pan: maskCard(body.card.pan),
    status: plan.status,
    reason: plan.reason,
    return_url: body.return_url,
    authorises_after_ms: plan.authorisesAfterMs,
    late_approval_ms: plan.lateApprovalMs,
    expires_at: body.expires_at,
    browser: body.browser ?? null,
    silent: plan.silent,
    version: authentication?.version ?? null,
    token: authentication?.token ?? null,
    session: authentication?.session ?? null,
    server_transaction_id: authentication?.serverTransactionId ?? null,
    acs_transaction_id: authentication?.acsTransactionId ?? null,
    method_step: plan.methodStep,
  };
}

/** Answers those that were made: none where another charge took one of the wishes, nor where the reference is taken. */
export async function insertCharges(
  db: SandboxDatabase,
  charges: readonly NewCharge[],
  wishes: readonly StoredWish[],
): Promise<ReadonlySet<string>> {
  const rows = await db.run<{ reference: string }>(INSERT_CHARGES, [
    JSON.stringify(charges),
    wishes.map(({ id }) => id),
  ]);
  return new Set(rows.map(({ reference }) => reference));
}

const INSERT_CHARGES = `
with given as (
  select distinct on (reference) * from json_to_recordset($1::json) as g (
    reference text, project_id text, request_hash text, merchant_name text, currency text, amount bigint, pays_amount bigint,
    masked_pan text, status text, reason text, return_url text, authorises_after_ms integer, late_approval_ms integer,
    expires_at timestamptz, browser jsonb, silent boolean, version text, token text, session text,
    server_transaction_id text, acs_transaction_id text, method_step boolean)
  order by reference
), taken as (
  update sandbox.faults set remaining = remaining - 1
  where id = any($2::bigint[]) and (remaining is null or remaining > 0)
  returning id
), made as (
  insert into sandbox.charges
    (reference, project_id, request_hash, merchant_name, currency, amount, pays_amount, masked_pan, status, reason,
     return_url, authorises_after_ms, late_approval_ms, expires_at, browser, silent, approves_at)
  select reference, project_id, request_hash, merchant_name, currency, amount, pays_amount, masked_pan, status, reason,
    return_url, authorises_after_ms, late_approval_ms, expires_at, browser, silent,
    case when status = 'pending' then now() + authorises_after_ms * interval '1 millisecond' end
  from given
  where (select count(*) from taken) = cardinality($2::bigint[])
  on conflict do nothing
  returning reference
), asked as (
  insert into sandbox.authentications
    (reference, version, token, session, server_transaction_id, acs_transaction_id, method_step)
  select reference, version, token, session, server_transaction_id, acs_transaction_id, method_step
  from given join made using (reference) where version is not null
)
select reference from made`;

export type Charge = {
  readonly reference: string;
  readonly request_hash: string;
  readonly status: "approved" | "declined" | "challenge" | "redirect" | "pending" | "reversed";
  readonly reason: string | null;
  readonly amount: string;
  readonly pays_amount: string;
  readonly currency: string;
  readonly masked_pan: string;
  readonly return_url: string;
  readonly expires_at: string;
  readonly version: "2.2.0" | "1.0.2" | "redirect" | null;
  readonly token: string | null;
  readonly session: string | null;
  readonly server_transaction_id: string | null;
  readonly method_step: boolean | null;
  readonly method_done: boolean;
};

export async function findCharge(db: SandboxDatabase, reference: string): Promise<Charge | undefined> {
  return (await findCharges(db, [reference]))[0];
}

export function findCharges(db: SandboxDatabase, references: readonly string[]): Promise<readonly Charge[]> {
  return db.run<Charge>(
    `select c.reference, c.request_hash, c.status, c.reason, c.amount, c.pays_amount, c.currency, c.masked_pan, c.return_url,
       sandbox.iso(c.expires_at) as expires_at, a.version, a.token, a.session, a.server_transaction_id, a.method_step,
       a.method_done_at is not null as method_done
     from sandbox.charges c left join sandbox.authentications a on a.reference = c.reference
     where c.reference = any($1)`,
    [references],
  );
}

/** What the gateway said of the payer's browser; null where it said nothing. */
export async function findBrowser(
  db: SandboxDatabase,
  reference: string,
): Promise<{ readonly browser: object | null } | undefined> {
  const rows = await db.run<{ browser: object | null }>("select browser from sandbox.charges where reference = $1", [
    reference,
  ]);
  return rows[0];
}

/** The result of a charge, named c, once its payer is known to be the right one. */
export const AUTHORISED = `
  status = case when c.authorises_after_ms is null then 'approved' else 'pending' end,
  approves_at = now() + c.authorises_after_ms * interval '1 millisecond'`;

/**
 * Answers whether the result is the issuer's on this charge. It has an effect once, in time, and only while the charge
 * waits for it.
 */
export async function authenticateCharge(
  db: SandboxDatabase,
  reference: string,
  result: AuthenticationResultBody,
): Promise<boolean> {
  const { version, text, md } =
    "cres" in result
      ? ({ version: "2.2.0", text: result.cres, md: null } as const)
      : ({ version: "1.0.2", text: result.pa_res, md: result.md } as const);
  const rows = await db.run(
    `with known as (
       select reference, outcome from sandbox.authentications
       where reference = $1 and version = $2 and result = $3 and ($4::text is null or session = $4)
     ), authorised as (
       update sandbox.charges c set ${AUTHORISED}
       from known k
       where c.reference = k.reference and k.outcome = 'passed' and c.status = 'challenge' and c.expires_at > now()
     )
     select reference from known`,
    [reference, version, text, md],
  );
  return rows.length > 0;
}

export async function reverseCharge(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run("update sandbox.charges set status = 'reversed' where reference = $1 and status = 'approved'", [
    reference,
  ]);
}

/** What a reference has in place of a request's hash if it was cancelled before any charge was requested under it. */
export const NEVER_REQUESTED = "";

/**
 * Ends what still waits for its payer. A reference that is not known gets a charge that is declined from the beginning, so
 * that none can be made under it later: whichever comes first, charge or cancel, has the primary key.
 */
export async function cancelCharges(db: SandboxDatabase, references: readonly string[]): Promise<void> {
  await db.run(
    `insert into sandbox.charges as c
       (reference, project_id, request_hash, currency, amount, pays_amount, masked_pan, status, reason, return_url, expires_at,
        silent, cancelled_at)
     select reference, '', $2, 'XXX', 1, 1, '000000******0000', 'declined', 'cancelled', '', now(), true, now()
     from (select distinct unnest($1::text[]) as reference order by 1) as given
     on conflict (reference) do update set status = 'declined', reason = 'cancelled', cancelled_at = now()
       where c.status in ('challenge', 'redirect')`,
    [references, NEVER_REQUESTED],
  );
}

/** A tester plays the acquirer. What was approved can only be given back, and what was given back is over. */
export async function endCharge(db: SandboxDatabase, reference: string, end: ChargeEndBody): Promise<void> {
  await db.run(
    `update sandbox.charges c
     set status = $2, approves_at = null, pays_amount = coalesce($3, pays_amount),
       reason = case when $2 = 'declined' then coalesce($4, 'card_declined') end
     where c.reference = $1 and case $2::text
       when 'approved' then c.status not in ('approved', 'reversed')
       when 'reversed' then c.status = 'approved'
       else c.status in ('challenge', 'redirect', 'pending') end`,
    [
      reference,
      end.status,
      end.status === "approved" ? (end.amount ?? null) : null,
      end.status === "declined" ? (end.reason ?? null) : null,
    ],
  );
}

/** Notifies of a charge again, though nothing changed. */
export async function tellAgain(db: SandboxDatabase, reference: string): Promise<void> {
  await db.run(
    `insert into sandbox.notifications (project_id, direction, reference, event)
     select project_id, 'charge', reference, 'status' from sandbox.charges
     where reference = $1 and exists (select from sandbox.settings where name = 'notify_url')`,
    [reference],
  );
}
