import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postingTransaction } from "../../store/ledger/ledger.ts";
import { type ChoiceName, lockEndedChoice, markContradicted, saveEndedChoice } from "../../store/page/ended-choices.ts";
import { type LockedPayment, lockPayments } from "../../store/payments/payments.ts";
import { listKnownReceipts } from "../../store/payments/receipts.ts";
import { type ApplyFault, type ApplyPayment, isOlderThanMoney } from "../payments/apply-payments.ts";
import { decideEvent, nameOfHappening } from "../payments/decide-event.ts";
import type { AppliedPayment } from "../payments/payment-after.ts";
import type { PaymentEvent } from "../payments/payment-event.ts";
import { gatherFee, noWrites, transfersOf, writeAll } from "../payments/payment-writes.ts";
import { endedPayment } from "./ended-payment.ts";

/** What looks at an ended choice apply their events with, in place of the payments' own way. */
export function openApplyToChoice(db: Database, { number }: Pick<ChoiceName, "number">): ApplyPayment {
  return async (event) => {
    const posted = await postingTransaction(db, async (tx) => {
      const [payment] = await lockPayments(tx, [event]);
      return payment === undefined ? fail("payment_unknown" as const) : applyToChoice(tx, payment, number, event);
    });
    return posted.ok ? posted.value : fail(posted.error);
  };
}

/**
 * Money that comes for a choice which has ended, and a charge that goes back. By the rules of a payment that was declined: it is counted
 * once, and stands in suspense under the payment, whose own state and sums it does not touch. What is refused, or known already,
 * changes nothing. The payment must be locked.
 */
export async function applyToChoice(
  tx: Transaction,
  payment: LockedPayment,
  number: number,
  event: PaymentEvent,
): Promise<Result<AppliedPayment, ApplyFault>> {
  const { projectId, requestId } = payment;
  const name = { projectId, requestId, number };
  const choice = await lockEndedChoice(tx, name);
  if (choice === undefined) return fail("payment_unknown");
  const { method, provider, reference } = choice;
  const before = { ...endedPayment({ ...payment, method, provider, reference }, choice), tookLease: false };
  const receipts = event.receivedFrom === undefined ? [] : [{ projectId, requestId, ...event.receivedFrom }];
  const isKnown = receipts.length > 0 && (await listKnownReceipts(tx, receipts)).length > 0;
  const outcome = isKnown || isOlderThanMoney(before, event) ? undefined : decideEvent(before, event);
  if (outcome === undefined) return ok(before);
  const { receivedAmount } = outcome;
  const releasedAt = outcome.reversed ? (before.releasedAt ?? payment.now) : before.releasedAt;
  if (outcome.event === "contradicted") await markContradicted(tx, payment);
  else await saveEndedChoice(tx, { ...name, receivedAmount, releasedAt });
  const writes = noWrites();
  const { state } = payment;
  const detail = [`choice ${number}`, event.detail].filter((part) => part !== undefined).join(": ");
  const line = { projectId, requestId, fromState: state, toState: state, actor: event.actor, detail };
  writes.history.push({ ...line, event: `late_${nameOfHappening(event)}` });
  writes.receipts.push(...receipts);
  gatherFee(writes, event);
  writes.transfers.push(...transfersOf(before, outcome.movements));
  await writeAll(tx, writes);
  const contradictedAt = outcome.event === "contradicted" ? payment.now : before.contradictedAt;
  return ok({ ...before, receivedAmount, releasedAt, contradictedAt });
}
