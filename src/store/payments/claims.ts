import { type Database, LOCK_TIMEOUT_MS } from "../db.ts";
import { PAYMENT_COLUMNS, type PaymentKey, QUEUE_COLUMNS, type QueuePlace, type StoredPayment } from "./payments.ts";

/**
 * A payment that this process works on until its lease ends, as it was when it was claimed. The end of the lease is also
 * what the claim is known by: two claims of one payment never end at the same moment, however often they are renewed. Null: the claim of a late look has
 * planned the next one, so that there is nothing to hold.
 */
export type ClaimedPayment = StoredPayment & { readonly now: Date; readonly leaseUntil: Date | null };

/** A pay-in that is over, of which nothing is owed or open: another look is to come after this one, and may come without it. */
const IS_LATE_LOOK = `finished_at is not null and released_at is not null and unproven_end is null and unknown_since is null
                      and not hinted and direction = 'payin' and method <> 'card-ecom'`;

/** Claims payments that are due and not leased. Those that another process is just taking are passed over. */
export function claimDuePayments(
  db: Pick<Database, "run">,
  options: { readonly countMax: number; readonly leaseS: number; readonly lateLooksS?: readonly number[] },
): Promise<ClaimedPayment[]> {
  return db.run<ClaimedPayment>({
    name: "claim_due_payments",
    text: `with due as (
             select project_id, request_id, case when ${IS_LATE_LOOK} then (
                      select finished_at + make_interval(secs => min(l.seconds)) from unnest($3::integer[]) as l (seconds)
                       where finished_at + make_interval(secs => l.seconds) > now()) end as next_look
               from payments
              where due_at <= now() and (lease_until is null or lease_until < now())
              order by due_at
              limit $1
                for no key update skip locked)
           update payments p
              set lease_until = case when d.next_look is null
                                     then date_trunc('milliseconds', now() + make_interval(secs => $2)) end,
                  due_at = coalesce(d.next_look, p.due_at), hinted = false
             from due d
            where p.project_id = d.project_id and p.request_id = d.request_id
           returning ${PAYMENT_COLUMNS}, now() as now, p.lease_until as "leaseUntil"`,
    values: [options.countMax, options.leaseS, options.lateLooksS ?? []],
  });
}

/** What is left of a look at a payment when its state is not changed by it. */
export type FinishedLook = PaymentKey & {
  readonly leaseUntil: Date | null;
  /** The payment's sequence, as the worker last knew it. */
  readonly sequence: number;
  readonly dueAt: Date | null;
  readonly tries: number;
  readonly confirmTold: boolean;
  readonly released: boolean;
  /** The provider did not report the result. */
  readonly unknown: boolean;
};

/**
 * Gives leases back, except those that another process has taken over. News that came during the look, a hint or
 * another state, makes the payment due at once. Rows are locked in the order of their keys, as everywhere; the time-out is set
 * by the statement itself, before the first array is there. Answers how long until the first of them is due again.
 */
export async function finishLooks(
  db: Pick<Database, "run">,
  looks: readonly FinishedLook[],
  lockWaitMs: number = LOCK_TIMEOUT_MS,
): Promise<number | undefined> {
  const [row] = await db.run<{ ms: number | null }>({
    name: "finish_looks",
    text: `with looked as (
             select l.* from (select set_config('lock_timeout', $10, true) as lock_wait) w
              cross join lateral unnest(case when w.lock_wait is not null then $1::uuid[] end, $2::uuid[], $3::timestamptz[], $4::integer[], $5::timestamptz[], $6::integer[],
                                    $7::boolean[], $8::boolean[], $9::boolean[])
                    as l (project_id, request_id, lease_until, sequence, due_at, tries, confirm_told, released, unknown)
               join payments p on p.project_id = l.project_id and p.request_id = l.request_id
                              and p.lease_until is not distinct from l.lease_until
              order by p.project_id, p.request_id
                for no key update of p),
           finished as (
           update payments p
              set lease_until = null,
                  tries = case when p.sequence = l.sequence then l.tries else p.tries end,
                  due_at = case when p.hinted or p.sequence <> l.sequence then now()
                                -- A look that was planned during this one, by a change without another state, is not put off.
                                else least(l.due_at, case when p.due_at > now() then p.due_at end) end,
                  confirm_told = p.confirm_told or l.confirm_told,
                  released_at = coalesce(p.released_at, case when l.released then now() end),
                  unknown_since = case when l.unknown then coalesce(p.unknown_since, now()) end
             from looked l
            where p.project_id = l.project_id and p.request_id = l.request_id
           returning p.due_at)
           select ${MS_UNTIL_FIRST} as ms from finished`,
    values: [
      looks.map((look) => look.projectId),
      looks.map((look) => look.requestId),
      looks.map((look) => look.leaseUntil),
      looks.map((look) => look.sequence),
      looks.map((look) => look.dueAt),
      looks.map((look) => look.tries),
      looks.map((look) => look.confirmTold),
      looks.map((look) => look.released),
      looks.map((look) => look.unknown),
      String(lockWaitMs),
    ],
  });
  return row?.ms ?? undefined;
}

/**
 * Renews leases that this process still has. Those that just change are passed over, and renewed at the next time. Answers the new
 * ends, in the order of the leases; undefined: it was not renewed.
 */
export async function renewLeases(
  db: Pick<Database, "run">,
  leases: readonly (PaymentKey & { readonly leaseUntil: Date })[],
  leaseS: number,
): Promise<(Date | undefined)[]> {
  const rows = await db.run<{ place: number; leaseUntil: Date }>({
    name: "renew_leases",
    text: `with held as (
             select l.place, p.project_id, p.request_id
               from unnest((select $1::uuid[]), $2::uuid[], $3::timestamptz[]) with ordinality
                      as l (project_id, request_id, lease_until, place)
               join payments p on p.project_id = l.project_id and p.request_id = l.request_id and p.lease_until = l.lease_until
              order by p.project_id, p.request_id
                for no key update of p skip locked)
           update payments p set lease_until = date_trunc('milliseconds', now() + make_interval(secs => $4))
             from held h
            where p.project_id = h.project_id and p.request_id = h.request_id
           returning h.place::integer as place, p.lease_until as "leaseUntil"`,
    values: [
      leases.map((lease) => lease.projectId),
      leases.map((lease) => lease.requestId),
      leases.map((lease) => lease.leaseUntil),
      leaseS,
    ],
  });
  const ends = new Map(rows.map(({ place, leaseUntil }) => [place, leaseUntil]));
  return leases.map((_, index) => ends.get(index + 1));
}

const MS_UNTIL_FIRST = "(extract(epoch from min(due_at) - now()) * 1000)::float8";

/** How long until the next payment is due, in milliseconds; undefined when none ever will be by itself. */
export async function findNextDueMs(db: Pick<Database, "run">): Promise<number | undefined> {
  const [row] = await db.run<{ ms: number | null }>({
    name: "find_next_due",
    text: `select ${MS_UNTIL_FIRST} as ms from payments
            where due_at is not null and (lease_until is null or lease_until < now())`,
  });
  return row?.ms ?? undefined;
}

/** A provider has news of the request that it has under this reference. */
export type ProviderHint = { readonly provider: string; readonly reference: string };

/** A payment that a hint is about, as it was when it was read; it is not locked. */
export type HintedPayment = StoredPayment & QueuePlace & { readonly now: Date; readonly hint: ProviderHint };

export async function findByReferences(
  db: Pick<Database, "run">,
  hints: readonly ProviderHint[],
): Promise<HintedPayment[]> {
  type Row = StoredPayment & QueuePlace & { now: Date; hintedProvider: string; hintedReference: string };
  const rows = await db.run<Row>({
    name: "find_by_references",
    text: `select ${PAYMENT_COLUMNS}, ${QUEUE_COLUMNS}, now() as now,
                  a.provider as "hintedProvider", a.reference as "hintedReference"
             from unnest((select $1::text[]), $2::text[]) as h (provider, reference)
             join attempts a on a.reference = h.reference and a.provider = h.provider
             join payments p on p.project_id = a.project_id and p.request_id = a.request_id`,
    values: [hints.map((hint) => hint.provider), hints.map((hint) => hint.reference)],
  });
  return rows.map(({ hintedProvider, hintedReference, ...payment }) => ({
    ...payment,
    hint: { provider: hintedProvider, reference: hintedReference },
  }));
}

/** A provider has news of the requests with these references: a worker checks them as soon as one is free. */
export async function hintByReference(db: Pick<Database, "run">, hints: readonly ProviderHint[]): Promise<void> {
  await db.run({
    name: "hint_by_reference",
    text: `with named as (
             select p.project_id, p.request_id, p.choice_count from payments p
              where (p.project_id, p.request_id) in (
                select a.project_id, a.request_id
                  from unnest($1::text[], $2::text[]) as h (provider, reference)
                  join attempts a on a.reference = h.reference and a.provider = h.provider)
              order by p.project_id, p.request_id
                for no key update),
           hinted as (
             update payments p set hinted = true, due_at = now()
               from named n
              where p.project_id = n.project_id and p.request_id = n.request_id
             returning p.request_id),
           -- Where the payer of a hosted page has chosen again, the news may be about an earlier choice.
           hinted_choices as (
             update page_choices c set hinted = true, due_at = now()
               from named n, unnest($1::text[], $2::text[]) as h (provider, reference)
              where n.choice_count is not null and c.project_id = n.project_id and c.request_id = n.request_id
                and c.reference = h.reference and c.provider = h.provider)
           select pg_notify('tillgate_due', '') from hinted having count(*) > 0`,
    values: [hints.map((hint) => hint.provider), hints.map((hint) => hint.reference)],
  });
}
