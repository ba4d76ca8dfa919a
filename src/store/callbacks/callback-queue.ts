import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { ShownChoice } from "../../core/page/payer-attempts.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database } from "../db.ts";
import { CHOICES_JSON } from "../page/choices-json.ts";

/** Where callbacks of a project go: all URLs of one scheme, host and port. */
export type Endpoint = { readonly projectId: Id; readonly origin: string };

export type WaitingEndpoint = Endpoint & { readonly dueInMs: number };

/**
 * The endpoints that something waits for, at most `pageMax` of each project, and in how many milliseconds the first of it is
 * due. The index is walked from endpoint to endpoint, so that a long queue of one costs no more than a short one, and from
 * the last of a page to the next project, so that many of one project cost no more than a page of them.
 */
export function listWaitingEndpoints(db: Pick<Database, "run">, pageMax: number): Promise<WaitingEndpoint[]> {
  return db.run<WaitingEndpoint>({
    name: "list_waiting_endpoints",
    text: `with recursive endpoints as (
             (select project_id, origin, due_at, 1 as place from callbacks where due_at is not null
               order by project_id, origin, due_at limit 1)
             union all
             select n.project_id, n.origin, n.due_at, case when n.project_id = e.project_id then e.place + 1 else 1 end
               from endpoints e
              cross join lateral (
                (select c.project_id, c.origin, c.due_at from callbacks c
                  where e.place < $1 and c.due_at is not null and (c.project_id, c.origin) > (e.project_id, e.origin)
                  order by c.project_id, c.origin, c.due_at limit 1)
                union all
                (select c.project_id, c.origin, c.due_at from callbacks c
                  where e.place >= $1 and c.due_at is not null and c.project_id > e.project_id
                  order by c.project_id, c.origin, c.due_at limit 1)) n)
           select project_id as "projectId", origin, (extract(epoch from due_at - now()) * 1000)::float8 as "dueInMs"
             from endpoints`,
    values: [pageMax],
  });
}

/** The next endpoints of projects, after those that are given, at most `pageMax` of each; in the order of the index. */
export function listEndpointsAfter(
  db: Pick<Database, "run">,
  after: readonly Endpoint[],
  pageMax: number,
): Promise<WaitingEndpoint[]> {
  return db.run<WaitingEndpoint>({
    name: "list_endpoints_after",
    text: `select k.project_id as "projectId", f.origin,
                  (extract(epoch from f.due_at - now()) * 1000)::float8 as "dueInMs"
             from unnest($1::uuid[], $2::text[]) as k (project_id, origin)
            cross join lateral (
              with recursive further as (
                (select c.origin, c.due_at, 1 as place from callbacks c
                  where c.due_at is not null and c.project_id = k.project_id and c.origin > k.origin
                  order by c.origin, c.due_at limit 1)
                union all
                select n.origin, n.due_at, e.place + 1
                  from further e
                 cross join lateral (
                   select c.origin, c.due_at from callbacks c
                    where c.due_at is not null and c.project_id = k.project_id and c.origin > e.origin
                    order by c.origin, c.due_at limit 1) n
                 where e.place < $3)
              select origin, due_at, place from further) f
            order by k.project_id, f.place`,
    values: [after.map(({ projectId }) => projectId), after.map(({ origin }) => origin), pageMax],
  });
}

/** A callback that this process delivers until its lease ends. */
export type ClaimedCallback = Endpoint & {
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly attemptCount: number;
  /** How many of them the schedule of retries leaves out, because they were made before a replay. */
  readonly scheduleFrom: number;
  /** The end of its lease, to the microsecond: a process that takes it over has another. */
  readonly lease: string;
  /** A final status whose time to wait for earlier ones is over. */
  readonly goesAhead: boolean;
  /** The sequences of earlier ones, for the same payment and URL, that are neither delivered nor given up. */
  readonly waitsFor: readonly number[];
  readonly disabled: boolean;
  readonly requisites: Buffer | null;
  readonly paymentState: PaymentState;
  readonly requestedAmount: Minor;
  readonly currency: Currency;
  /** Of a card pay-in, sealed. */
  readonly challenge: Buffer | null;
  readonly pageToken: Buffer | null;
  /** Of a payment on the hosted page, sealed. */
  readonly hostedPageToken: Buffer | null;
  /** What the payer of the hosted page chose, once the payment is over. */
  readonly choices: readonly ShownChoice[] | null;
};

/**
 * What a callback in the table or alias `c`, of the payment `p`, needs to be sent. Only payments of other products than p2p have
 * a card or a hosted page. What was written before the payer's present choice does not show that choice's requisites.
 */
export const NEEDED_TO_SEND = `
  array(select o.sequence from callbacks o
         where o.project_id = c.project_id and o.request_id = c.request_id and o.url = c.url
           and o.sequence < c.sequence and o.state = 'pending') as "waitsFor",
  exists (select from disabled_callback_urls d
           where d.project_id = c.project_id and d.url_hash = sha256(convert_to(c.url, 'UTF8'))
             and d.enabled_at is null) as disabled,
  case when p.choice_count > 1 and c.created_at < (select h.chosen_at from page_choices h
    where h.project_id = c.project_id and h.request_id = c.request_id and h.number = p.choice_count)
    then null else p.requisites end as requisites,
  p.state as "paymentState", p.requested_amount as "requestedAmount", p.currency,
  case when p.product <> 'p2p' then (select k.challenge from card_payins k
    where k.project_id = c.project_id and k.request_id = c.request_id
      and k.number = coalesce(p.choice_count, 1)) end as challenge,
  case when p.product <> 'p2p' then (select k.page_token from card_payins k
    where k.project_id = c.project_id and k.request_id = c.request_id
      and k.number = coalesce(p.choice_count, 1)) end as "pageToken",
  case when p.product <> 'p2p' then (select g.token from payer_pages g
    where g.project_id = c.project_id and g.request_id = c.request_id) end as "hostedPageToken",
  case when p.finished_at is not null then ${CHOICES_JSON} end as choices`;

/** Looked up one by one: the callbacks are few beside the payments, which the planner cannot know. */
export const PAYMENT_OF_CALLBACK = `(
  select p.project_id, p.request_id, p.requisites, p.state, p.requested_amount, p.currency, p.product, p.finished_at,
         p.decline_code, p.choice_count from payments p
   where p.project_id = c.project_id and p.request_id = c.request_id offset 0)`;

/**
 * Those that are due, the longest due first. While the lease lasts no other process takes them: their due time is its end. They are
 * read by a statement of its own: the function takes what was committed until it began to look, which is later than what the statement
 * that calls it sees, and a callback without its payment would be lost until its lease ends.
 */
export async function claimCallbacks(
  db: Pick<Database, "run">,
  wanted: readonly (Endpoint & { readonly countMax: number })[],
  leaseS: number,
): Promise<ClaimedCallback[]> {
  const claimed = await db.run<{ projectId: Id; id: Id }>({
    name: "claim_callbacks",
    text: `select project_id as "projectId", id from claim_callbacks($1, $2, $3, $4)`,
    values: [
      wanted.map((each) => each.projectId),
      wanted.map((each) => each.origin),
      wanted.map((each) => each.countMax),
      leaseS,
    ],
  });
  return claimed.length === 0 ? [] : readClaimed(db, claimed);
}

/** Looked up one by one, as their payments are. */
function readClaimed(
  db: Pick<Database, "run">,
  claimed: readonly { readonly projectId: Id; readonly id: Id }[],
): Promise<ClaimedCallback[]> {
  return db.run<ClaimedCallback>({
    name: "read_claimed_callbacks",
    text: `select c.project_id as "projectId", c.origin, c.id, c.request_id as "requestId", c.sequence, c.url, c.body,
                  c.attempt_count as "attemptCount", c.schedule_from as "scheduleFrom", c.lease_until::text as lease,
                  coalesce(c.goes_ahead_at <= now(), false) as "goesAhead", ${NEEDED_TO_SEND}
             from unnest((select $1::uuid[]), $2::uuid[]) as k (project_id, id)
            cross join lateral (select * from callbacks c where c.project_id = k.project_id and c.id = k.id offset 0) c
            cross join lateral ${PAYMENT_OF_CALLBACK} p`,
    values: [claimed.map(({ projectId }) => projectId), claimed.map(({ id }) => id)],
  });
}
