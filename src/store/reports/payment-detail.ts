import type { CallbackState } from "../../core/callbacks/states.ts";
import type { Id } from "../../core/ids.ts";
import type { ViewedPayment } from "../../core/payments/view.ts";
import { ATTEMPTS_OF_CALLBACK } from "../callbacks/callback-attempts.ts";
import { URL_IS_DISABLED } from "../callbacks/read-callbacks.ts";
import type { Database } from "../db.ts";
import { type PaymentKey, type PaymentProduct, VIEWED_PAYMENT_COLUMNS } from "../payments/payments.ts";

type Reader = Pick<Database, "run">;

/** A payment as its merchant's people see it, with what is sealed of it. */
export type DetailedPayment = ViewedPayment & {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly product: PaymentProduct;
  readonly customerId: string;
  readonly description: string | null;
  readonly confirmedAt: Date | null;
  readonly requisites: Buffer | null;
  readonly receiver: Buffer | null;
  readonly mask: string | null;
  readonly brand: string | null;
};

/** By our id, in one of these projects. */
export async function findDetailedPayment(
  db: Reader,
  projectIds: readonly Id[],
  requestId: Id,
): Promise<DetailedPayment | undefined> {
  const rows = await db.run<DetailedPayment>({
    text: `select ${VIEWED_PAYMENT_COLUMNS}, p.product, p.customer_id as "customerId", p.request->>'description' as description,
                  p.confirmed_at as "confirmedAt", p.requisites, p.receiver, c.mask, c.brand
             from payments p
             left join card_payins c on c.project_id = p.project_id and c.request_id = p.request_id
               and c.number = coalesce(p.choice_count, 1) and p.method = 'card-ecom'
            where p.project_id = any($1::uuid[]) and p.request_id = $2`,
    values: [projectIds, requestId],
  });
  return rows[0];
}

export type DetailedCallback = {
  readonly id: Id;
  readonly sequence: number;
  readonly url: string;
  readonly body: object;
  readonly state: CallbackState;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
  readonly replayedAt: Date | null;
};

/** With their bodies as they are stored: requisites are added when one is sent. */
export function listDetailedCallbacks(db: Reader, { projectId, requestId }: PaymentKey): Promise<DetailedCallback[]> {
  return db.run<DetailedCallback>({
    text: `select c.id, c.sequence, c.url, c.body,
                  case when c.state = 'pending' and ${URL_IS_DISABLED} then 'held' else c.state end as state,
                  c.due_at as "dueAt", c.created_at as "createdAt", c.delivered_at as "deliveredAt",
                  c.replayed_at as "replayedAt"
             from callbacks c where c.project_id = $1 and c.request_id = $2 order by c.sequence`,
    values: [projectId, requestId],
  });
}

export type DetailedAttempt = {
  readonly callbackId: Id;
  readonly number: number;
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  /** The first 2 kB of what the merchant's server answered. */
  readonly answer: Buffer | null;
};

export function listAttemptsOfCallbacks(db: Reader, { projectId, requestId }: PaymentKey): Promise<DetailedAttempt[]> {
  return db.run<DetailedAttempt>({
    text: `select c.id as "callbackId", t.number, t.started_at as "startedAt", t.latency_ms as "latencyMs", t.status,
                  t.failure, t.answer
             from callbacks c cross join lateral ${ATTEMPTS_OF_CALLBACK} t
            where c.project_id = $1 and c.request_id = $2 order by c.sequence, t.number`,
    values: [projectId, requestId],
  });
}
