import type { Connector, PayinState, ReportedReceipt, Requisites, RequisitesAnswer } from "../../core/connector.ts";
import { METHODS } from "../../core/merchants/methods.ts";
import type { ProviderWord } from "../../core/payments/after-end.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import { dutyOf, waitsForRoom } from "../../core/payments/provider-duties.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { waitsForPerson } from "../../core/payments/waits-for-person.ts";
import { clearingOf, wayOf } from "../../core/providers.ts";
import { listAttempts } from "../../store/payments/attempts.ts";
import { listReceipts } from "../../store/payments/payment-trail.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { chooseRoute } from "./choose-route.ts";
import { alertContradicted, followEnd } from "./follow-end.ts";
import { endOf, type JobDeps, type Look } from "./look.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { sealRequisites } from "./payment-secrets.ts";

/** While a provider does not answer, its payments' timers wait for it, up to a limit. */
const TIMERS_WAIT_FOR_ANSWER_MS = 300_000;
/** A final decision waits longer: a payer who paid in time is not declined because the provider is down for hours. */
const DECLINE_WAITS_FOR_ANSWER_MS = 86_400_000;

/** One look at a pay-in: whatever its state calls for now. */
export async function workOnPayin(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  switch (payment.state) {
    case "processing:new":
      if (payment.attemptCount > 0) return beginSent(deps, payment);
      return isOverdue(deps, payment) ? happenLast(deps, payment, { kind: "expired" }) : start(deps, payment);
    case "processing:requisites":
      return resume(deps, payment);
    default:
      return watch(deps, payment);
  }
}

/** Applies something that happened; where it may not happen any more, the payment as it is now tells why. */
async function happen(
  deps: JobDeps,
  payment: StoredPayment,
  payin: PayinHappening,
  extra: Partial<PaymentEvent> = {},
): Promise<StoredPayment> {
  const applied = await deps.apply(orderOf(payment, payin, extra));
  return applied.ok ? applied.value : payment;
}

/** The same, as the last thing in a look: the end of the look is written with it. */
async function happenLast(
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
  const event = { projectId, requestId, actor: "worker", ...extra, payin, byWorker: true } as const;
  // Money that arrived is counted, whatever reports it and however late; everything else is about the present attempt.
  return payin.kind === "received" ? event : { ...event, ofAttempt: attemptCount };
}

/** Asks the first provider that is left. Its reference is committed before it is asked. */
async function start(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const route = await chooseRoute(deps, payment);
  if (route.kind === "wait") return { payment };
  const asked = payment.state === "processing:requisites";
  if (route.kind === "none") {
    const submitted = asked ? payment : await happen(deps, payment, { kind: "submitted" });
    return happenLast(deps, submitted, { kind: "no_requisites" });
  }
  // What the payer of a hosted page chose is in this state before any provider was asked.
  const event = payment.attemptCount === 0 ? "submitted" : "route_refused";
  const next = await happen(deps, payment, { kind: event }, { nextProvider: route.code });
  return next.state === "processing:requisites" && next.attemptCount > payment.attemptCount
    ? askForRequisites(deps, next)
    : { payment: next };
}

/**
 * The reference was committed by the create, so the provider is asked at once. Where it issues requisites, both steps are
 * one write; otherwise the payment is submitted first, and then it is like any other. It may have been asked before, by a
 * process that died.
 */
async function beginSent(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const answer = isOverdue(deps, payment) ? undefined : await askProvider(deps, payment);
  if (answer?.kind === "issued" && !isOverdue(deps, payment))
    return takeRequisites(deps, payment, answer.requisites, { submits: true });
  const submitted = await happen(deps, payment, { kind: "submitted" });
  if (submitted.state !== "processing:requisites") return { payment: submitted };
  return answer === undefined ? resume(deps, submitted) : followAnswer(deps, submitted, answer);
}

/** A worker asked before, and the result is unknown: the same question again, under the same reference. */
async function resume(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const attempts = await listAttempts(deps.db, payment.projectId, payment.requestId);
  const isQuestionOpen = attempts.at(-1)?.outcome === "open";
  if (!isOverdue(deps, payment)) return isQuestionOpen ? askForRequisites(deps, payment) : start(deps, payment);
  return isQuestionOpen ? resumeTooLate(deps, payment) : happenLast(deps, payment, { kind: "expired" });
}

async function askForRequisites(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  return followAnswer(deps, payment, await askProvider(deps, payment));
}

async function askProvider(deps: JobDeps, payment: StoredPayment): Promise<RequisitesAnswer> {
  const connector = connectorOf(deps, payment);
  const { reference, method } = payment;
  if (connector === undefined || reference === null || method === null) return { kind: "unknown" };
  const bank = payment.request.sender?.bank;
  return connector.askForRequisites({
    reference,
    method,
    projectId: payment.projectId,
    amount: payment.requestedAmount,
    currency: payment.currency,
    bank:
      typeof bank === "string" ? { symbol: bank, required: METHODS[method].requisite === "phone_and_bank" } : undefined,
    expiresAt: payment.expiresAt ?? new Date(deps.clock.nowMs()),
  });
}

async function followAnswer(deps: JobDeps, payment: StoredPayment, answer: RequisitesAnswer): Promise<Look> {
  switch (answer.kind) {
    case "issued":
      return takeRequisites(deps, payment, answer.requisites);
    case "none":
      return nextRoute(deps, payment);
    case "pending":
      return { payment };
    case "unknown":
      return { payment, unknown: true };
  }
}

function takeRequisites(
  deps: JobDeps,
  payment: StoredPayment,
  requisites: Requisites,
  extra: Pick<PaymentEvent, "submits"> = {},
): Promise<Look> {
  const attemptEnd = { outcome: "taken", detail: null } as const;
  // Too late for the payer: they are given back as the payment ends.
  if (isOverdue(deps, payment)) return happenLast(deps, payment, { kind: "requisites_late" }, { attemptEnd });
  const sealed = sealRequisites(deps.keyring, payment.requestId, requisites);
  return happenLast(deps, payment, { kind: "requisites_issued" }, { ...extra, requisites: sealed, attemptEnd });
}

async function nextRoute(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const attemptEnd = { outcome: "refused", detail: "no requisites" } as const;
  const route = await chooseRoute(deps, payment);
  if (route.kind === "none") return happenLast(deps, payment, { kind: "no_requisites" }, { attemptEnd });
  const extra = route.kind === "provider" ? { attemptEnd, nextProvider: route.code } : { attemptEnd };
  const next = await happen(deps, payment, { kind: "route_refused" }, extra);
  return next.attemptCount > payment.attemptCount ? askForRequisites(deps, next) : { payment: next };
}

/** The lifetime is over and the question is still open: the request is not repeated; only its result is asked for. */
async function resumeTooLate(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const state = await askState(deps, payment);
  switch (state.kind) {
    case "open": {
      const received = await receive(deps, payment, state.receipts);
      if (received.state !== payment.state) return { payment: received };
      if (state.requisites !== undefined) return takeRequisites(deps, received, state.requisites);
      // The provider has the request and makes nothing of it: it is told that it is over, and may keep what it finds.
      if (!isOverdue(deps, received, TIMERS_WAIT_FOR_ANSWER_MS)) return { payment: received };
      return happenLast(deps, received, { kind: "expired" });
    }
    case "declined":
    case "never_seen": {
      const attemptEnd = { outcome: "refused", detail: state.kind } as const;
      const received = state.kind === "declined" ? await receive(deps, payment, state.receipts) : payment;
      if (received.state !== payment.state) return { payment: received };
      return happenLast(deps, payment, { kind: "expired" }, { attemptEnd });
    }
    case "unknown":
      return { payment, unknown: true };
  }
}

/** Requisites are out, or it is over: the provider is told what it must know, and asked what arrived. */
async function watch(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  if (payment.reference === null) return { payment: await afterAnswer(deps, payment, "known") };
  const { state: toldState, ...told } = await tellProvider(deps, payment);
  const state = toldState ?? (await askState(deps, payment));
  const isKnown = state.kind === "open" || state.kind === "declined";
  const received = isKnown ? await receive(deps, payment, state.receipts) : payment;
  const declined = state.kind === "declined" && DECLINABLE.has(received.state) && !waitsForRoom(received);
  const judged = declined ? await happen(deps, received, { kind: "provider_declined" }) : received;
  const after = await afterAnswer(deps, judged, isKnown ? "known" : "unknown");
  const toldEnd = isFinal(payment.state) ? {} : await tellEnd(deps, after);
  await freePlace(deps, after);
  const seen = isKnown ? await noticeTakenBack(deps, after, state.receipts) : after;
  const unknown = isKnown ? {} : { unknown: true as const };
  return isFinal(seen.state) && seen.unprovenEnd !== null
    ? { ...told, ...toldEnd, ...unknown, ...(await proveEnd(deps, seen, state)) }
    : { payment: seen, ...told, ...toldEnd, ...unknown };
}

/** An operator ended it without the provider's word. Money that the provider reports now was received before. */
function proveEnd(deps: JobDeps, payment: StoredPayment, state: PayinState): Promise<Look> {
  return followEnd(deps, payment, wordOf(state), {
    post: async () => payment,
    contradict: (detail) => happen(deps, payment, { kind: "contradicted" }, { actor: "provider", detail }),
  });
}

function wordOf(state: PayinState): ProviderWord {
  if (state.kind === "unknown" || state.kind === "never_seen") return state.kind;
  if (state.receipts.some(({ reversed }) => reversed === undefined)) return "moved";
  return state.kind === "declined" ? "not_moved" : "pending";
}

/** The provider took back money that was counted: the payment stays as it is, and an operator must look. */
async function noticeTakenBack(
  deps: JobDeps,
  payment: StoredPayment,
  reported: readonly ReportedReceipt[],
): Promise<StoredPayment> {
  const reversed = reported.filter((receipt) => receipt.reversed !== undefined);
  if (reversed.length === 0 || payment.contradictedAt !== null) return payment;
  const receipts = await listReceipts(deps.db, payment);
  const counted = reversed.find((each) =>
    receipts.some(
      (receipt) =>
        receipt.provider === wayOf(payment.provider ?? "", each.account) &&
        receipt.receiptReference === each.receiptReference,
    ),
  );
  if (counted === undefined) return payment;
  const detail = `the provider took back transfer ${counted.receiptReference}`;
  const after = await happen(deps, payment, { kind: "contradicted" }, { actor: "provider", detail });
  if (after.contradictedAt !== null) alertContradicted(deps, payment, "reversed");
  return after;
}

/** Where a provider's decline means something; elsewhere it is no news. */
const DECLINABLE: ReadonlySet<PaymentState> = new Set([
  "processing:awaiting_confirm",
  "processing:paid",
  "dispute:no_payment",
]);

type Told = Pick<Look, "confirmTold" | "released"> & {
  /** The order's state, where the provider's answer held it. */
  readonly state?: PayinState;
};

async function tellProvider(deps: JobDeps, payment: StoredPayment): Promise<Told> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null || dutyOf(payment) !== "confirm")
    return tellEnd(deps, payment);
  const answer = await connector.reportConfirm(payment.reference);
  if (answer.kind !== "done") return {};
  return answer.state === undefined ? { confirmTold: true } : { confirmTold: true, state: answer.state };
}

/** A payment that is over, if only since this look, is no longer waited for by its provider. */
async function tellEnd(deps: JobDeps, payment: StoredPayment): Promise<Pick<Look, "released">> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null || dutyOf(payment) !== "release") return {};
  return (await connector.releaseRequisites(payment.reference)).kind === "done" ? { released: true } : {};
}

/** Asked at every look, since it changes nothing the second time; what was not answered is asked at the next. */
async function freePlace(deps: JobDeps, payment: StoredPayment): Promise<void> {
  if (payment.reference === null || !waitsForPerson(payment, deps.clock.nowMs())) return;
  await connectorOf(deps, payment)?.freePlace?.(payment.reference);
}

async function receive(
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

/** What follows from the clock, or from room in the merchant's balance. */
async function afterAnswer(deps: JobDeps, payment: StoredPayment, answer: "known" | "unknown"): Promise<StoredPayment> {
  if (waitsForRoom(payment)) return happen(deps, payment, { kind: "room_found" });
  const event = TIMER_EVENTS[payment.state];
  const silenceMs = event === "grace_over" ? DECLINE_WAITS_FOR_ANSWER_MS : TIMERS_WAIT_FOR_ANSWER_MS;
  const patienceMs = answer === "known" ? 0 : silenceMs;
  if (isFinal(payment.state) || event === undefined || !isOverdue(deps, payment, patienceMs)) return payment;
  return happen(deps, payment, { kind: event });
}

const TIMER_EVENTS: Partial<Record<PaymentState, "expired" | "confirm_timed_out" | "grace_over">> = {
  "processing:awaiting_confirm": "expired",
  "processing:paid": "confirm_timed_out",
  "dispute:no_payment": "grace_over",
};

async function askState(deps: JobDeps, payment: StoredPayment): Promise<PayinState> {
  const connector = connectorOf(deps, payment);
  if (connector === undefined || payment.reference === null) return { kind: "unknown" };
  return connector.askPayinState(payment.reference);
}

function connectorOf(deps: JobDeps, payment: StoredPayment): Connector | undefined {
  return payment.provider === null ? undefined : deps.findConnector(payment.provider);
}

function isOverdue(deps: JobDeps, { deadlineAt }: StoredPayment, patienceMs = 0): boolean {
  return deadlineAt !== null && deadlineAt.getTime() + patienceMs <= deps.clock.nowMs();
}
