import type { PayoutOutcome, PayoutState } from "../../core/connector.ts";
import { AMOUNT_MAX } from "../../core/money.ts";
import type { ProviderWord } from "../../core/payments/after-end.ts";
import type { PayoutEvent } from "../../core/payments/payout-transitions.ts";
import { BY_HAND, clearingOf, wayOf } from "../../core/providers.ts";
import { listAttempts } from "../../store/payments/attempts.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { customerOf } from "../providers/request-customer.ts";
import { arePayoutsPaused, chooseRoute, nextOf, type RouteChoice } from "./choose-route.ts";
import { followEnd } from "./follow-end.ts";
import { endOf, type JobDeps, type Look } from "./look.ts";
import { noteFee, type SaidFee, withFee } from "./looks/provider-fee.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { unsealReceiver } from "./payment-secrets.ts";

/** One look at a payout: whatever its state calls for now. */
export async function workOnPayout(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  switch (payment.state) {
    case "processing:new":
      return (await arePayoutsPaused(deps, payment)) ? { payment } : start(deps, payment);
    case "processing:payout_process":
      return resume(deps, payment);
    case "success":
    case "decline":
      return watchEnded(deps, payment);
    default:
      return watchDispute(deps, payment);
  }
}

type Extra = Partial<PaymentEvent> & { readonly account?: string };

async function happen(
  deps: JobDeps,
  payment: StoredPayment,
  kind: PayoutEvent,
  extra: Extra = {},
): Promise<StoredPayment> {
  const applied = await deps.apply(orderOf(payment, kind, extra));
  return applied.ok ? applied.value : payment;
}

/** The same, as the last thing in a look: the end of the look is written with it. */
async function happenLast(deps: JobDeps, payment: StoredPayment, kind: PayoutEvent, extra: Extra = {}): Promise<Look> {
  const applied = await deps.apply({ ...orderOf(payment, kind, extra), ...(await endOf(deps)) });
  return applied.ok ? { payment: applied.value, ended: applied.value } : { payment };
}

function orderOf(payment: StoredPayment, kind: PayoutEvent, { account, ...extra }: Extra): PaymentEvent {
  const { projectId, requestId, attemptCount } = payment;
  const clearing = clearingOf(wayOf(payment.provider ?? BY_HAND, account));
  const payout = { kind, clearing };
  return { projectId, requestId, actor: "worker", ...extra, payout, byWorker: true, ofAttempt: attemptCount };
}

/** Sends it to the first provider that is left. Its reference is committed before it is sent. */
async function start(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const route = await chooseRoute(deps, payment);
  if (route.kind === "wait") return { payment };
  if (route.kind === "none") {
    const claimed = await happen(deps, payment, "claimed");
    return happenLast(deps, claimed, "declined", { detail: "no provider on any route" });
  }
  const claimed = await happen(deps, payment, "claimed", nextOf(route));
  return claimed.attemptCount > payment.attemptCount ? send(deps, claimed) : { payment: claimed };
}

/** `repeatedSince`: when the reference was committed, where it may have been sent before. */
async function send(deps: JobDeps, payment: StoredPayment, repeatedSince?: Date): Promise<Look> {
  const { provider, reference, method, receiver } = payment;
  const connector = provider === null ? undefined : deps.findConnector(provider);
  if (connector === undefined || reference === null || method === null || receiver === null) {
    return { payment, unknown: true };
  }
  // This process was away for longer than its lease: another worker may have the payout, and asks the provider before it sends.
  if (deps.lease?.isHeld() === false) return { payment };
  const outcome = await connector.sendPayout({
    reference,
    method,
    projectId: payment.projectId,
    amount: payment.amount,
    currency: payment.currency,
    receiver: unsealReceiver(deps.keyring, payment.requestId, receiver),
    customer: customerOf(payment),
    ...(repeatedSince === undefined ? {} : { repeatedSince }),
  });
  return follow(deps, payment, outcome);
}

/** It was sent, or was about to be: the provider is asked before anything is sent again, under the same reference. */
async function resume(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const attempts = await listAttempts(deps.db, payment.projectId, payment.requestId);
  const present = attempts.at(-1);
  if (present === undefined || present.outcome === "refused") return reroute(deps, payment);
  const state = await askState(deps, payment);
  if (isOverdue(deps, payment) && UNSETTLED.has(state.kind)) {
    return { payment: await happen(deps, payment, "timed_out"), ...unknownUnless(state.kind !== "unknown") };
  }
  if (state.kind !== "never_seen") return follow(deps, payment, state);
  // Nothing is sent without a lease, though the reference would keep it from being paid twice.
  if (deps.lease === undefined) return { payment, unknown: true };
  return (await isHeldBack(deps, payment)) ? { payment } : send(deps, payment, present.createdAt);
}

const UNSETTLED: ReadonlySet<string> = new Set(["pending", "unknown", "never_seen"]);

async function follow(deps: JobDeps, payment: StoredPayment, outcome: PayoutOutcome): Promise<Look> {
  const attemptEnd = { outcome: "taken", detail: outcome.kind } as const;
  switch (outcome.kind) {
    case "approved":
      return approve(deps, payment, outcome, { attemptEnd });
    case "may_have_left":
    case "receiver_wrong":
      return happenLast(deps, payment, outcome.kind, { actor: "provider", attemptEnd });
    case "declined":
      return nextRoute(deps, payment, outcome.reason);
    // It left and came back, or another request under its reference may have left: an operator must look before it is paid again.
    case "returned":
    case "conflict":
      return happenLast(deps, payment, "may_have_left", { actor: "provider", ...openingOf(outcome.kind) });
    case "pending":
      return { payment };
    case "unknown":
      return { payment, unknown: true };
  }
}

type Approval = Pick<Extract<PayoutOutcome, { kind: "approved" }>, "account" | "fee">;

/** It left, and the provider says what it keeps for that: both are one commit. */
async function approve(deps: JobDeps, payment: StoredPayment, approval: Approval, extra: Extra = {}): Promise<Look> {
  const said = feeOf(payment, approval);
  const approved = { ...extra, actor: "provider", ...fromOf(approval), ...withFee(said) };
  const look = await happenLast(deps, payment, "approved", approved);
  return { ...look, payment: await keepFee(deps, look.payment, said) };
}

function feeOf({ reference }: StoredPayment, { fee }: Approval): SaidFee {
  return { reference, fee, feeMax: AMOUNT_MAX };
}

function keepFee(deps: JobDeps, payment: StoredPayment, said: SaidFee): Promise<StoredPayment> {
  return noteFee(deps, payment, said, (detail) => happen(deps, payment, "contradicted", { actor: "provider", detail }));
}

/** An attempt in conflict is never believed afterwards: what its provider says is about another request. */
function openingOf(kind: "returned" | "conflict"): Pick<PaymentEvent, "attemptEnd" | "detail"> {
  return { attemptEnd: { outcome: kind === "returned" ? "taken" : "conflict", detail: kind }, detail: kind };
}

/** Certainly not sent: another provider may be asked. */
async function nextRoute(deps: JobDeps, payment: StoredPayment, detail: string): Promise<Look> {
  const extra = { attemptEnd: { outcome: "refused", detail }, detail } as const;
  const route = await chooseOpenRoute(deps, payment);
  if (route.kind === "none") return happenLast(deps, payment, "declined", extra);
  if (route.kind === "wait") return happenLast(deps, payment, "declined_on_route", extra);
  const next = await happen(deps, payment, "declined_on_route", { ...extra, ...nextOf(route) });
  return next.attemptCount > payment.attemptCount ? send(deps, next) : { payment: next };
}

/** The last provider refused while the others were paused; or a process died before it chose one. */
async function reroute(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const route = await chooseOpenRoute(deps, payment);
  return route.kind === "wait" ? { payment } : nextRoute(deps, payment, "refused before");
}

/** While payouts are held back nothing is sent, not even by another route. */
async function chooseOpenRoute(deps: JobDeps, payment: StoredPayment): Promise<RouteChoice> {
  const route = await chooseRoute(deps, payment);
  return route.kind === "provider" && (await arePayoutsPaused(deps, payment)) ? { kind: "wait" } : route;
}

/** Its provider has never seen it, and an operator stopped the provider, or payouts, in the meantime. */
async function isHeldBack(deps: JobDeps, payment: StoredPayment): Promise<boolean> {
  const { providers } = (await deps.currentDirectory()).pauses;
  return providers.has(payment.provider ?? "") || arePayoutsPaused(deps, payment);
}

/** In dispute only a certain answer changes anything. */
async function watchDispute(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const state = await askEnded(deps, payment);
  if (state.kind === "approved") return approve(deps, payment, state);
  if (state.kind === "declined") {
    return happenLast(deps, payment, "declined", { actor: "provider", detail: state.reason });
  }
  return { payment, ...unknownUnless(state.kind !== "unknown" && state.kind !== "conflict") };
}

/** After the end: a payout that left though the books say otherwise must be noticed. */
async function watchEnded(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  // Cancelled before any provider was asked.
  if (payment.reference === null) return { payment };
  const state = await askEnded(deps, payment);
  const approval = state.kind === "approved" ? state : {};
  const said = feeOf(payment, approval);
  const extra = { actor: "provider", ...fromOf(approval), ...withFee(said) };
  const look = await followEnd(deps, payment, WORDS[state.kind], {
    post: async () => (payment.shortfallAt === null ? happen(deps, payment, "approved", extra) : payment),
    contradict: (detail) => happen(deps, payment, "contradicted", { actor: "provider", detail }),
  });
  return { ...look, payment: await keepFee(deps, look.payment, said) };
}

/** "May have left" and wrong details are no certain answers: either may still turn out to be paid. */
const WORDS: Readonly<Record<PayoutState["kind"], ProviderWord>> = {
  approved: "moved",
  declined: "not_moved",
  never_seen: "never_seen",
  returned: "reversed",
  pending: "pending",
  may_have_left: "pending",
  receiver_wrong: "pending",
  conflict: "unknown",
  unknown: "unknown",
};

function fromOf({ account }: { readonly account?: string }): { readonly account?: string } {
  return account === undefined ? {} : { account };
}

function unknownUnless(known: boolean): { readonly unknown?: true } {
  return known ? {} : { unknown: true };
}

/** Only what is said of this very request: another sum under its reference is another request. */
async function askState(deps: JobDeps, payment: StoredPayment): Promise<PayoutState> {
  const { provider, reference, amount, currency } = payment;
  const connector = provider === null ? undefined : deps.findConnector(provider);
  if (connector === undefined || reference === null) return { kind: "unknown" };
  const state = await connector.askPayoutState(reference);
  const requested = "requested" in state ? state.requested : undefined;
  const isOther = requested !== undefined && (requested.amount !== amount || requested.currency !== currency);
  return isOther ? { kind: "conflict" } : state;
}

/** In dispute or over: an attempt that was found to be in conflict stays so, whatever the provider says of the other request. */
async function askEnded(deps: JobDeps, payment: StoredPayment): Promise<PayoutState> {
  const attempts = await listAttempts(deps.db, payment.projectId, payment.requestId);
  return attempts.at(-1)?.outcome === "conflict" ? { kind: "conflict" } : askState(deps, payment);
}

function isOverdue(deps: JobDeps, { deadlineAt }: StoredPayment): boolean {
  return deadlineAt !== null && deadlineAt.getTime() <= deps.clock.nowMs();
}
