import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { LAST_ATTEMPT_OF_CALLBACK } from "../callbacks/callback-attempts.ts";
import type { Database } from "../db.ts";
import type { PaymentKey } from "./payments.ts";
import type { Receipt } from "./receipts.ts";

/** What a payment left behind in the other tables, for people who must find out what happened. */
type Reader = Pick<Database, "run">;

export type HistoryEntry = {
  readonly number: number;
  readonly fromState: PaymentState | null;
  readonly toState: PaymentState;
  readonly event: string;
  readonly actor: string;
  readonly detail: string | null;
  readonly createdAt: Date;
};

export function listHistory(db: Reader, { projectId, requestId }: PaymentKey): Promise<HistoryEntry[]> {
  return db.run<HistoryEntry>({
    text: `select number, from_state as "fromState", to_state as "toState", event, actor, detail, created_at as "createdAt"
             from payment_history where project_id = $1 and request_id = $2 order by number`,
    values: [projectId, requestId],
  });
}

export function listReceipts(db: Reader, { projectId, requestId }: PaymentKey): Promise<Receipt[]> {
  return db.run<Receipt>({
    text: `select project_id as "projectId", request_id as "requestId", provider,
                  receipt_reference as "receiptReference", amount, received_at as "receivedAt"
             from receipts where project_id = $1 and request_id = $2 order by received_at, provider, receipt_reference`,
    values: [projectId, requestId],
  });
}

export type TransferEntry = {
  readonly id: Id;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly amount: Minor;
  readonly kind: string;
  readonly createdAt: Date;
};

export function listTransfers(db: Reader, { projectId, requestId }: PaymentKey): Promise<TransferEntry[]> {
  return db.run<TransferEntry>({
    text: `select id, currency, from_account as "from", to_account as "to", amount, kind, created_at as "createdAt"
             from transfers where project_id = $1 and subject_id = $2 order by created_at, id`,
    values: [projectId, requestId],
  });
}

export type CallbackEntry = {
  readonly id: Id;
  readonly sequence: number;
  readonly url: string;
  readonly state: "pending" | "delivered" | "dead";
  readonly attemptCount: number;
  /** The HTTP status of the last answer, or why there was none; null before the first attempt. */
  readonly lastAnswer: string | null;
  readonly dueAt: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
};

/** Without their bodies. */
export function listCallbacks(db: Reader, { projectId, requestId }: PaymentKey): Promise<CallbackEntry[]> {
  return db.run<CallbackEntry>({
    text: `select c.id, c.sequence, c.url, c.state, c.attempt_count as "attemptCount",
                  (select coalesce(last.status::text, last.failure) from ${LAST_ATTEMPT_OF_CALLBACK} last) as "lastAnswer",
                  c.due_at as "dueAt", c.created_at as "createdAt", c.delivered_at as "deliveredAt"
             from callbacks c where c.project_id = $1 and c.request_id = $2 order by c.sequence`,
    values: [projectId, requestId],
  });
}
