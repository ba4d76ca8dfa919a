import { callbackBody } from "../core/callback/body.ts";
import type { Id } from "../core/ids.ts";
import type { Transfer } from "../core/ledger/transfers.ts";
import type { Minor } from "../core/money.ts";
import { type CallbackUrls, chooseCallbackUrl } from "../core/payment/callback-url.ts";
import { deadlineOf } from "../core/payment/deadlines.ts";
import type { Movement } from "../core/payment/decide-payin.ts";
import { isFinal, type PaymentState } from "../core/payment/states.ts";
import { newId } from "../platform/new-id.ts";
import { insertCallback } from "../store/callbacks.ts";
import type { Transaction } from "../store/db.ts";
import { postTransfers } from "../store/ledger.ts";
import { insertHistory, type StoredPayment, savePayment } from "../store/payments.ts";

/** Who made it happen, and anything that the history should remember of it. */
export type Occasion = {
  readonly actor: string;
  readonly detail: string | null;
  readonly now: Date;
  readonly project: CallbackUrls;
};

/** What was decided, in the terms that every kind of payment shares. */
export type Outcome = {
  readonly event: string;
  readonly state: PaymentState;
  readonly changed: boolean;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly fee: Minor | null;
  readonly confirmed: boolean;
  readonly declineCode: string | undefined;
  readonly movements: readonly Movement[];
};

/**
 * The one way in which a payment changes: its state, its history, its callback, its next due time and its transfers are
 * written together, in the caller's transaction. The payment's row is locked; balance rows are locked here, last.
 */
export async function writeOutcome(
  tx: Transaction,
  payment: StoredPayment,
  outcome: Outcome,
  occasion: Occasion,
): Promise<StoredPayment> {
  const after: StoredPayment = {
    ...payment,
    state: outcome.state,
    sequence: payment.sequence + (outcome.changed ? 1 : 0),
    declineCode: outcome.declineCode ?? payment.declineCode,
    amount: outcome.amount,
    receivedAmount: outcome.receivedAmount,
    fee: outcome.fee,
    deadlineAt: outcome.changed ? deadlineOf(outcome.state, occasion.now, payment.expiresAt) : payment.deadlineAt,
  };
  const dueAt = isFinal(after.state) ? null : (after.deadlineAt ?? null);
  await savePayment(tx, payment, { ...after, confirmed: outcome.confirmed, dueAt });
  await insertHistory(tx, payment, {
    fromState: payment.state,
    toState: after.state,
    event: outcome.event,
    actor: occasion.actor,
    detail: occasion.detail,
  });
  if (outcome.changed) await writeCallback(tx, after, occasion);
  if (outcome.movements.length > 0) await postTransfers(tx, transfersOf(payment, outcome.movements));
  return after;
}

/** An event that may not happen now changes nothing, and is remembered. */
export async function writeRefusal(
  tx: Transaction,
  payment: StoredPayment,
  event: string,
  occasion: Occasion,
): Promise<void> {
  const { state } = payment;
  const detail = occasion.detail === null ? "refused" : `refused: ${occasion.detail}`;
  await insertHistory(tx, payment, { fromState: state, toState: state, event, actor: occasion.actor, detail });
}

async function writeCallback(tx: Transaction, payment: StoredPayment, { now, project }: Occasion): Promise<void> {
  const { request } = payment;
  const ofRequest: CallbackUrls = {
    callbackUrl: request.callbackUrl ?? null,
    successCallbackUrl: request.successCallbackUrl ?? null,
    declineCallbackUrl: request.declineCallbackUrl ?? null,
  };
  const url = chooseCallbackUrl(payment.state, ofRequest, project);
  if (url === null) return;
  const id = newId();
  const { projectId, requestId, sequence } = payment;
  await insertCallback(tx, {
    projectId,
    id,
    requestId,
    sequence,
    url,
    body: callbackBody(payment, { id, sequence, createdAt: now }),
  });
}

function transfersOf({ projectId, requestId, currency }: StoredPayment, movements: readonly Movement[]): Transfer[] {
  return movements.map((movement) => ({ id: newId(), projectId, subjectId: requestId as Id, currency, ...movement }));
}
