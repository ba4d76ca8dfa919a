import type { Minor } from "../../core/money.ts";
import type { UnprovenEnd } from "../../core/payments/after-end.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Transaction } from "../db.ts";
import type { PaymentKey, QueuePlace } from "./payments.ts";

/** What an event may change of a payment, as `paymentAfter` says it is now. */
export type PaymentChange = PaymentKey &
  QueuePlace & {
    readonly state: PaymentState;
    readonly sequence: number;
    readonly declineCode: string | null;
    readonly statusDescription: string | null;
    readonly amount: Minor;
    readonly receivedAmount: Minor;
    readonly fee: Minor | null;
    readonly deadlineAt: Date | null;
    readonly tries: number;
    readonly confirmedAt: Date | null;
    readonly shortfallAt: Date | null;
    readonly unprovenEnd: UnprovenEnd | null;
    readonly contradictedAt: Date | null;
    /** The provider knows that it is over, or gave back what came too late. */
    readonly releasedAt: Date | null;
    readonly finishedAt: Date | null;
    readonly attemptCount: number;
    readonly provider: string | null;
    readonly reference: string | null;
    readonly requisites: Buffer | null;
  };

/** The rows must be locked since they were read: what is not changed is written as it was. */
export async function savePayments(tx: Transaction, changes: readonly PaymentChange[]): Promise<void> {
  await tx.run({
    name: "save_payments",
    text: `update payments p
              set state = c.state, sequence = c.sequence, decline_code = c.decline_code,
                  status_description = c.status_description, amount = c.amount, received_amount = c.received_amount,
                  fee = c.fee, deadline_at = c.deadline_at, tries = c.tries,
                  due_at = c.due_at, lease_until = c.lease_until, hinted = c.hinted,
                  provider = c.provider, reference = c.reference, attempt_count = c.attempt_count,
                  requisites = c.requisites,
                  confirmed_at = c.confirmed_at, shortfall_at = c.shortfall_at, released_at = c.released_at,
                  unproven_end = c.unproven_end, contradicted_at = c.contradicted_at, finished_at = c.finished_at,
                  unknown_since = null, updated_at = now()
             from unnest((select $1::uuid[]), $2::uuid[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
                         $9::bigint[], $10::timestamptz[], $11::timestamptz[], $12::integer[], $13::timestamptz[], $14::timestamptz[],
                         $15::boolean[], $16::text[], $17::text[], $18::bytea[],
                         $19::integer[], $20::timestamptz[], $21::text[], $22::timestamptz[], $23::timestamptz[],
                         $24::timestamptz[])
               as c (project_id, request_id, state, sequence, decline_code, status_description, amount, received_amount,
                     fee, deadline_at, due_at, tries, confirmed_at, shortfall_at, hinted, provider, reference, requisites,
                     attempt_count, released_at, unproven_end, contradicted_at, finished_at, lease_until)
            where p.project_id = c.project_id and p.request_id = c.request_id`,
    values: [
      changes.map((change) => change.projectId),
      changes.map((change) => change.requestId),
      changes.map((change) => change.state),
      changes.map((change) => change.sequence),
      changes.map((change) => change.declineCode),
      changes.map((change) => change.statusDescription),
      changes.map((change) => change.amount),
      changes.map((change) => change.receivedAmount),
      changes.map((change) => change.fee),
      changes.map((change) => change.deadlineAt),
      changes.map((change) => change.dueAt),
      changes.map((change) => change.tries),
      changes.map((change) => change.confirmedAt),
      changes.map((change) => change.shortfallAt),
      changes.map((change) => change.hinted),
      changes.map((change) => change.provider),
      changes.map((change) => change.reference),
      changes.map((change) => change.requisites),
      changes.map((change) => change.attemptCount),
      changes.map((change) => change.releasedAt),
      changes.map((change) => change.unprovenEnd),
      changes.map((change) => change.contradictedAt),
      changes.map((change) => change.finishedAt),
      changes.map((change) => change.leaseUntil),
    ],
  });
}

/** Wakes the workers when this commits. Once for a transaction, however many payments are due: it takes a global lock. */
export async function notifyDue(tx: Transaction): Promise<void> {
  await tx.run({ name: "notify_due", text: "select pg_notify('tillgate_due', '')" });
}

/** PostgreSQL takes less than 8,000 bytes in a notification: 242 ids of 32 characters with their commas. */
const PAGES_PER_NOTIFICATION = 200;

/** Tells open pages, when this commits: few notifications, each with the ids of many payments. */
export async function notifyPages(tx: Transaction, requestIds: readonly string[]): Promise<void> {
  const payloads: string[] = [];
  for (let from = 0; from < requestIds.length; from += PAGES_PER_NOTIFICATION) {
    payloads.push(requestIds.slice(from, from + PAGES_PER_NOTIFICATION).join(","));
  }
  await tx.run({
    name: "notify_pages",
    text: "select pg_notify('tillgate_pages', payload) from unnest($1::text[]) as payload",
    values: [payloads],
  });
}

export type HistoryLine = PaymentKey & {
  readonly fromState: PaymentState;
  readonly toState: PaymentState;
  readonly event: string;
  readonly actor: string;
  readonly detail: string | null;
};

/** The payments must be locked by an earlier statement: that is what keeps the numbers apart. */
export async function insertHistory(tx: Transaction, lines: readonly HistoryLine[]): Promise<void> {
  await tx.run({
    name: "insert_history",
    text: `insert into payment_history (project_id, request_id, number, from_state, to_state, event, actor, detail)
           select l.project_id, l.request_id,
                  row_number() over (partition by l.project_id, l.request_id order by l.place)
                    + (select coalesce(max(h.number), 0) from payment_history h
                        where h.project_id = l.project_id and h.request_id = l.request_id),
                  l.from_state, l.to_state, l.event, l.actor, l.detail
             from unnest((select $1::uuid[]), $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
                    with ordinality as l (project_id, request_id, from_state, to_state, event, actor, detail, place)`,
    values: [
      lines.map((line) => line.projectId),
      lines.map((line) => line.requestId),
      lines.map((line) => line.fromState),
      lines.map((line) => line.toState),
      lines.map((line) => line.event),
      lines.map((line) => line.actor),
      lines.map((line) => line.detail),
    ],
  });
}
