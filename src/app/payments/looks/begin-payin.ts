import type { Requisites, RequisitesAnswer } from "../../../core/connector.ts";
import { METHODS } from "../../../core/merchants/methods.ts";
import { listPresentAttempts } from "../../../store/payments/attempts.ts";
import type { StoredPayment } from "../../../store/payments/payments.ts";
import { customerOf, lifetimeOf } from "../../providers/request-customer.ts";
import { chooseRoute, nextOf } from "../choose-route.ts";
import type { JobDeps, Look } from "../look.ts";
import type { PaymentEvent } from "../payment-event.ts";
import { sealRequisites } from "../payment-secrets.ts";
import {
  askState,
  connectorOf,
  happen,
  happenLast,
  isOverdue,
  receive,
  TIMERS_WAIT_FOR_ANSWER_MS,
} from "./payin-steps.ts";

/** A pay-in for which no requisites were issued yet: which provider is asked, and what follows from its answer. */
export function beginPayin(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  if (payment.state === "processing:requisites") return resume(deps, payment);
  if (payment.reference !== null) return beginSent(deps, payment);
  // The payer chooses, for the first time or again.
  if (payment.method === null && !isOverdue(deps, payment)) return Promise.resolve({ payment });
  return isOverdue(deps, payment) ? happenLast(deps, payment, { kind: "expired" }) : start(deps, payment);
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
  const event = payment.reference === null ? "submitted" : "route_refused";
  const next = await happen(deps, payment, { kind: event }, nextOf(route));
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
  const attempts = await listPresentAttempts(deps.db, payment);
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
    lifetimeS: lifetimeOf(payment),
    customer: customerOf(payment),
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
  const extra = route.kind === "provider" ? { attemptEnd, ...nextOf(route) } : { attemptEnd };
  const next = await happen(deps, payment, { kind: "route_refused" }, extra);
  return next.attemptCount > payment.attemptCount ? askForRequisites(deps, next) : { payment: next };
}

/** The lifetime is over and the question is still open: the request is not repeated; only its result is asked for. */
async function resumeTooLate(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const state = await askState(deps, payment);
  switch (state.kind) {
    case "open": {
      const received = await receive(deps, payment, state);
      if (received.state !== payment.state) return { payment: received };
      if (state.requisites !== undefined) return takeRequisites(deps, received, state.requisites);
      // The provider has the request and makes nothing of it: it is told that it is over, and may keep what it finds.
      if (!isOverdue(deps, received, TIMERS_WAIT_FOR_ANSWER_MS)) return { payment: received };
      return happenLast(deps, received, { kind: "expired" });
    }
    case "declined":
    case "never_seen": {
      const attemptEnd = { outcome: "refused", detail: state.kind } as const;
      const received = state.kind === "declined" ? await receive(deps, payment, state) : payment;
      if (received.state !== payment.state) return { payment: received };
      return happenLast(deps, payment, { kind: "expired" }, { attemptEnd });
    }
    case "unknown":
      return { payment, unknown: true };
  }
}
