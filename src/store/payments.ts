import type { Currency } from "../core/currency.ts";
import type { Id } from "../core/ids.ts";
import type { Direction, Method } from "../core/methods.ts";
import type { Minor } from "../core/money.ts";
import type { PaymentState } from "../core/payment/states.ts";
import type { Transaction } from "./db.ts";

/** A payment as it is stored; what is sealed stays sealed. */
export type StoredPayment = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly direction: Direction;
  readonly product: "p2p" | "ecom" | "widget";
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly sequence: number;
  readonly declineCode: string | null;
  readonly statusDescription: string | null;
  readonly method: Method | null;
  readonly currency: Currency;
  readonly requestedAmount: Minor;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly feeBp: number | null;
  readonly feeFixed: Minor | null;
  readonly fee: Minor | null;
  readonly request: PaymentRequest;
  readonly provider: string | null;
  readonly reference: string | null;
  readonly confirmedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly deadlineAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
};

/** What the merchant said and we keep as it is. */
export type PaymentRequest = {
  readonly callbackUrl?: string;
  readonly successCallbackUrl?: string;
  readonly declineCallbackUrl?: string;
  readonly redirectUrl?: string;
  readonly description?: string;
};

const COLUMNS = `project_id as "projectId", request_id as "requestId", direction, product, payment_id as "paymentId", state,
  sequence, decline_code as "declineCode", status_description as "statusDescription", method, currency,
  requested_amount as "requestedAmount", amount, received_amount as "receivedAmount", fee_bp as "feeBp",
  fee_fixed as "feeFixed", fee, request, provider, reference, confirmed_at as "confirmedAt", expires_at as "expiresAt",
  deadline_at as "deadlineAt", created_at as "createdAt", updated_at as "updatedAt", finished_at as "finishedAt"`;

export async function lockPayment(tx: Transaction, projectId: Id, requestId: Id): Promise<StoredPayment | undefined> {
  const rows = await tx.run<StoredPayment>({
    name: "lock_payment",
    text: `select ${COLUMNS} from payments where project_id = $1 and request_id = $2 for update`,
    values: [projectId, requestId],
  });
  return rows[0];
}

export async function findPayment(tx: Transaction, projectId: Id, requestId: Id): Promise<StoredPayment | undefined> {
  const rows = await tx.run<StoredPayment>({
    name: "find_payment",
    text: `select ${COLUMNS} from payments where project_id = $1 and request_id = $2`,
    values: [projectId, requestId],
  });
  return rows[0];
}

/** The part of a payment that events change. */
export type PaymentChanges = Pick<
  StoredPayment,
  "state" | "sequence" | "declineCode" | "statusDescription" | "amount" | "receivedAmount" | "fee" | "deadlineAt"
> & { readonly confirmed: boolean; readonly dueAt: Date | null };

export async function savePayment(tx: Transaction, payment: StoredPayment, changes: PaymentChanges): Promise<void> {
  await tx.run({
    name: "save_payment",
    text: `update payments
              set state = $3, sequence = $4, decline_code = $5, status_description = $6, amount = $7, received_amount = $8,
                  fee = $9, deadline_at = $10, due_at = $11,
                  confirmed_at = case when $12 then coalesce(confirmed_at, now()) end,
                  finished_at = case when $3 in ('success', 'decline') then coalesce(finished_at, now()) end,
                  updated_at = now()
            where project_id = $1 and request_id = $2`,
    values: [
      payment.projectId,
      payment.requestId,
      changes.state,
      changes.sequence,
      changes.declineCode,
      changes.statusDescription,
      changes.amount,
      changes.receivedAmount,
      changes.fee,
      changes.deadlineAt,
      changes.dueAt,
      changes.confirmed,
    ],
  });
}

export type HistoryLine = {
  readonly fromState: PaymentState;
  readonly toState: PaymentState;
  readonly event: string;
  readonly actor: string;
  readonly detail: string | null;
};

/** The payment's row must be locked: that is what keeps the numbers apart. */
export async function insertHistory(tx: Transaction, payment: StoredPayment, line: HistoryLine): Promise<void> {
  await tx.run({
    name: "insert_history",
    text: `insert into payment_history (project_id, request_id, number, from_state, to_state, event, actor, detail)
           select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7
             from payment_history where project_id = $1 and request_id = $2`,
    values: [payment.projectId, payment.requestId, line.fromState, line.toState, line.event, line.actor, line.detail],
  });
}
