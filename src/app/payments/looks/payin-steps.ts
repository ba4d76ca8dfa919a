import type { Connector, PayinState, ReportedMoney } from "../../../core/connector.ts";
import { presentChoice } from "../../../core/page/second-chance.ts";
import type { PayinHappening } from "../../../core/payments/decide-payin.ts";
import { clearingOf, wayOf } from "../../../core/providers.ts";
import { moneyOf, receiptOfRest } from "../../../core/reported-total.ts";
import type { StoredPayment } from "../../../store/payments/payments.ts";
import { sumCounted } from "../../../store/payments/receipts.ts";
import { endOf, type JobDeps, type Look } from "../look.ts";
import type { PaymentEvent } from "../payment-event.ts";
import { noteFee, withFee } from "./provider-fee.ts";

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
  const applied = await deps.apply({ ...orderOf(payment, payin, extra), ...(await endOf(deps)) });
  return applied.ok ? { payment: applied.value, ended: applied.value } : { payment };
}

function orderOf(payment: StoredPayment, payin: PayinHappening, extra: Partial<PaymentEvent>): PaymentEvent {
  const { projectId, requestId, attemptCount } = payment;
  const ofChoice = presentChoice(payment);
  const event = { projectId, requestId, ofChoice, actor: "worker", ...extra, payin, byWorker: true } as const;
  // Money that arrived is counted, whatever reports it and however late; everything else is about the present attempt.
  return payin.kind === "received" ? event : { ...event, ofAttempt: attemptCount };
}

/** Counts what the provider says has arrived, each piece once, and notes what the provider keeps of it. */
export async function receive(deps: JobDeps, payment: StoredPayment, reported: ReportedMoney): Promise<StoredPayment> {
  const said = { reference: payment.reference, fee: reported.fee, feeMax: moneyOf(reported) };
  let current = payment;
  for (const { receiptReference, amount, receivedAt, account, reversed } of reported.receipts) {
    // Taken back: it is never counted. Where it was counted before, `noticeTakenBack` tells an operator.
    if (reversed !== undefined) continue;
    const way = wayOf(payment.provider ?? "", account);
    const clearing = clearingOf(way);
    const receivedFrom = { provider: way, receiptReference, amount, receivedAt };
    const extra = { actor: "provider", receivedFrom, ...withFee(said) };
    current = await happen(deps, current, { kind: "received", amount, clearing }, extra);
  }
  const rest = await findRest(deps, payment, reported);
  if (rest !== undefined) {
    const { amount, ...named } = rest;
    const way = wayOf(payment.provider ?? "", undefined);
    const receivedFrom = { provider: way, amount, ...named };
    const extra = { actor: "provider", receivedFrom, ofReceived: payment.receivedAmount, ...withFee(said) };
    current = await happen(deps, current, { kind: "received", amount, clearing: clearingOf(way) }, extra);
  }
  return noteFee(deps, current, said, (detail) =>
    happen(deps, current, { kind: "contradicted" }, { actor: "provider", detail }),
  );
}

/** What a total says beyond what was counted for this request. */
async function findRest(deps: JobDeps, payment: StoredPayment, { total }: ReportedMoney) {
  const { reference } = payment;
  if (total === undefined || total.amount === 0n || reference === null) return undefined;
  return receiptOfRest(reference, total, await countedOf(deps, payment));
}

export function countedOf(deps: Pick<JobDeps, "db">, { projectId, requestId, provider, reference }: StoredPayment) {
  return sumCounted(deps.db, { projectId, requestId, provider: provider ?? "", reference: reference ?? "" });
}

export async function askState(deps: JobDeps, payment: StoredPayment): Promise<PayinState> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null) return { kind: "unknown" };
  return believed(deps, payment, await connector.askPayinState(payment.reference));
}

/** The request in another currency is another request, as after a restore of an older backup. What came for it is not this payment's. */
export function believed({ log }: Pick<JobDeps, "log">, payment: StoredPayment, state: PayinState): PayinState {
  const said = "currency" in state ? state.currency : undefined;
  if (said === undefined || said === payment.currency) return state;
  const { requestId, provider } = payment;
  log.error({ request_id: requestId, provider, currency: said }, "the provider has this payment in another currency");
  return { kind: "unknown" };
}

export function connectorOf(deps: JobDeps, payment: StoredPayment): Connector | undefined {
  return payment.provider === null ? undefined : deps.findConnector(payment.provider);
}

export function isOverdue(deps: JobDeps, { deadlineAt }: StoredPayment, patienceMs = 0): boolean {
  return deadlineAt !== null && deadlineAt.getTime() + patienceMs <= deps.clock.nowMs();
}
