import type { Connector, PayinState, ReportedReceipt } from "../../../core/connector.ts";
import { presentChoice } from "../../../core/page/second-chance.ts";
import type { PayinHappening } from "../../../core/payments/decide-payin.ts";
import { clearingOf, wayOf } from "../../../core/providers.ts";
import type { StoredPayment } from "../../../store/payments/payments.ts";
import { endOf, type JobDeps, type Look } from "../look.ts";
import type { PaymentEvent } from "../payment-event.ts";

/** What every look at a pay-in is made of. */

/** While a provider does not answer, its payments' timers wait for it, up to a limit. */
export const TIMERS_WAIT_FOR_ANSWER_MS = 300_000;

/** Applies something that happened; where it may not happen any more, the payment as it is now tells why. */
export async function happen(
  deps: JobDeps,
  payment: StoredPayment,
  payin: PayinHappening,
  extra: Partial<PaymentEvent> = {},
): Promise<StoredPayment> {
  const applied = await deps.apply(orderOf(payment, payin, extra));
  return applied.ok ? applied.value : payment;
}

/** The same, as the last thing in a look: the end of the look is written with it. */
export async function happenLast(
  deps: JobDeps,
  payment: StoredPayment,
  payin: PayinHappening,
  extra: Partial<PaymentEvent> = {},
): Promise<Look> {
  const applied = await deps.apply({ ...orderOf(payment, payin, extra), ...endOf(deps) });
  return applied.ok ? { payment: applied.value, ended: applied.value } : { payment };
}

function orderOf(payment: StoredPayment, payin: PayinHappening, extra: Partial<PaymentEvent>): PaymentEvent {
  const { projectId, requestId, attemptCount } = payment;
  const ofChoice = presentChoice(payment);
  const event = { projectId, requestId, ofChoice, actor: "worker", ...extra, payin, byWorker: true } as const;
  // Money that arrived is counted, whatever reports it and however late; everything else is about the present attempt.
  return payin.kind === "received" ? event : { ...event, ofAttempt: attemptCount };
}

export async function receive(
  deps: JobDeps,
  payment: StoredPayment,
  reported: readonly ReportedReceipt[],
): Promise<StoredPayment> {
  let current = payment;
  for (const { receiptReference, amount, receivedAt, account, reversed } of reported) {
    // Taken back: it is never counted. Where it was counted before, `noticeTakenBack` tells an operator.
    if (reversed !== undefined) continue;
    const way = wayOf(payment.provider ?? "", account);
    const clearing = clearingOf(way);
    const receivedFrom = { provider: way, receiptReference, amount, receivedAt };
    current = await happen(deps, current, { kind: "received", amount, clearing }, { actor: "provider", receivedFrom });
  }
  return current;
}

export async function askState(deps: JobDeps, payment: StoredPayment): Promise<PayinState> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null) return { kind: "unknown" };
  return connector.askPayinState(payment.reference);
}

export function connectorOf(deps: JobDeps, payment: StoredPayment): Connector | undefined {
  return payment.provider === null ? undefined : deps.findConnector(payment.provider);
}

export function isOverdue(deps: JobDeps, { deadlineAt }: StoredPayment, patienceMs = 0): boolean {
  return deadlineAt !== null && deadlineAt.getTime() + patienceMs <= deps.clock.nowMs();
}
