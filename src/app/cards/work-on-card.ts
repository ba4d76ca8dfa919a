import type { ChargeState } from "../../core/card-acquirer.ts";
import { presentChoice } from "../../core/page/second-chance.ts";
import type { ProviderWord } from "../../core/payments/after-end.ts";
import { dutyOf, waitsForRoom } from "../../core/payments/provider-duties.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { CARD_SENDING_S, CARD_UNKNOWN_MAX_S } from "../../core/payments/timers.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { alertContradicted, followEnd } from "../payments/follow-end.ts";
import type { JobDeps, Look } from "../payments/look.ts";
import { noteFee } from "../payments/looks/provider-fee.ts";
import { feeOfCharge, followCharge, happenToCard, inItsCurrency } from "./follow-charge.ts";

const BY_WORKER = { actor: "worker", byWorker: true } as const;

/** One look at a card pay-in: asks the provider for the result, and checks the clock. */
export async function workOnCard(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  // Committed, and never sent: the process that took the card died before it could say where to.
  if (payment.reference === null)
    return mayStillBeSent(deps, payment) ? { payment, unknown: true } : { payment: await neverSent(deps, payment) };
  const cards = payment.provider === null ? undefined : deps.findConnector(payment.provider)?.cards;
  if (cards === undefined) return { payment, unknown: true };
  if (dutyOf(payment) === "reverse") return reverse(deps, payment);
  const state = believed(deps, payment, await cards.askChargeState(payment.reference));
  const after = await followWithFee(deps, payment, state);
  // The payer has left this charge behind: what follows is about another one.
  if (presentChoice(after) !== presentChoice(payment)) return { payment: after };
  // Charged after the end, as just reported: the reversal is due immediately.
  if (dutyOf(after) === "reverse") return reverse(deps, after);
  const isOpen = state.kind === "unknown" || state.kind === "pending";
  const timed = await afterClock(deps, after, isOpen);
  return isFinal(payment.state)
    ? followEnd(deps, timed, wordOf(timed, state), {
        post: async () => timed,
        contradict: (detail) => contradict(deps, timed, detail),
      })
    : { payment: await noticeTakenBack(deps, timed, state), ...openOf(timed, state) };
}

/** The charge as it is, and what the acquirer keeps of it: an operator may have settled it before the acquirer said so. */
async function followWithFee(deps: JobDeps, payment: StoredPayment, state: ChargeState): Promise<StoredPayment> {
  const follow = { ...deps, nowMs: deps.clock.nowMs };
  const after = await followCharge(follow, payment, state, { ...BY_WORKER, actor: "provider" });
  return noteFee(deps, after, feeOfCharge(payment, state), (detail) => contradict(deps, after, detail));
}

/** Another sum was charged, and an operator is to settle it: the acquirer may have declined it since, as a gateway's operator can. */
async function noticeTakenBack(deps: JobDeps, payment: StoredPayment, state: ChargeState): Promise<StoredPayment> {
  const word = wordOf(payment, state);
  const isNews = payment.state === "dispute:different_amount" && payment.contradictedAt === null;
  if (!isNews || word === "moved" || word === "pending" || word === "unknown") return payment;
  const after = await contradict(deps, payment, `the provider says: ${word}`);
  if (after.contradictedAt !== null) alertContradicted(deps, payment, word);
  return after;
}

function contradict(deps: JobDeps, payment: StoredPayment, detail: string): Promise<StoredPayment> {
  return happenToCard(deps, payment, { kind: "contradicted" }, { ...BY_WORKER, actor: "provider", detail });
}

/** The acquirer has the charge and has not decided: a payer who may have to go to the issuer waits for it. */
function openOf({ state }: StoredPayment, { kind }: ChargeState): Pick<Look, "unknown" | "pending"> {
  if (kind === "unknown") return { unknown: true };
  return kind === "pending" && state === "processing:new" ? { pending: true } : {};
}

/** What the provider says now, compared with what was counted. */
function wordOf({ receivedAmount }: StoredPayment, state: ChargeState): ProviderWord {
  if (state.kind === "approved") return state.amount === receivedAmount ? "moved" : "moved_other";
  return WORDS[state.kind];
}

/** A payer who is still being authenticated may yet be charged. */
const WORDS: Readonly<Record<Exclude<ChargeState["kind"], "approved">, ProviderWord>> = {
  declined: "not_moved",
  never_seen: "never_seen",
  reversed: "reversed",
  challenge: "pending",
  redirect: "pending",
  pending: "pending",
  unknown: "unknown",
};

/**
 * "Never seen" ends a charge, so it must not be asked for too early, when a process may still be sending it, as a hint or a
 * tester's clock can make us do. It is believed once the provider has had nothing else to say for so long.
 */
function believed(deps: JobDeps, payment: StoredPayment, state: ChargeState): ChargeState {
  const { requestId, provider, unknownSince } = payment;
  if (inItsCurrency(payment, state) !== state)
    deps.log.error({ request_id: requestId, provider }, "the provider has this payment in another currency");
  if (state.kind !== "never_seen") return inItsCurrency(payment, state);
  const silentMs = unknownSince === null ? 0 : deps.clock.nowMs() - unknownSince.getTime();
  return silentMs < CARD_SENDING_S * 1000 ? { kind: "unknown" } : state;
}

/** The process that took the card has time to send it: news of an earlier card of the payer's may bring a look before that. */
function mayStillBeSent(deps: JobDeps, { state, updatedAt, unknownSince }: StoredPayment): boolean {
  const sinceMs = Math.min(updatedAt.getTime(), unknownSince?.getTime() ?? Number.POSITIVE_INFINITY);
  return !isFinal(state) && deps.clock.nowMs() - sinceMs < CARD_SENDING_S * 1000;
}

async function neverSent(deps: JobDeps, payment: StoredPayment): Promise<StoredPayment> {
  return isFinal(payment.state) ? payment : happenToCard(deps, payment, { kind: "never_seen" }, BY_WORKER);
}

/** Charged after the end: the payer gets it back, and until the provider says so it stands in suspense. */
async function reverse(deps: JobDeps, payment: StoredPayment): Promise<Look> {
  const cards = payment.provider === null ? undefined : deps.findConnector(payment.provider)?.cards;
  if (cards === undefined || payment.reference === null) return { payment, unknown: true };
  if (cards.reverse === undefined) return leaveToOperator(deps, payment);
  const state = await cards.reverse(payment.reference);
  if (state.kind !== "reversed") return { payment, unknown: true };
  const clearing = `clearing:${payment.provider}` as const;
  return { payment: await happenToCard(deps, payment, { kind: "reversed", clearing }, BY_WORKER) };
}

/**
 * The acquirer cannot reverse, so there is nothing left to tell it, and the looks are those of any payment that is over. The money
 * stays in suspense: an operator has it refunded at the provider and records that. `attention` says so.
 */
function leaveToOperator({ log }: JobDeps, payment: StoredPayment): Look {
  const { requestId, provider } = payment;
  log.error({ request_id: requestId, provider }, "a charge came after the end, and its provider cannot reverse it");
  return { payment, released: true };
}

const EXPIRING: ReadonlySet<PaymentState> = new Set([
  "processing:new",
  "processing:awaiting_3ds_result",
  "processing:awaiting_redirect_result",
]);

/** The lifetime ends a payment only while no question is open; what stays unknown for a day becomes a dispute for an operator. */
async function afterClock(deps: JobDeps, payment: StoredPayment, isQuestionOpen: boolean): Promise<StoredPayment> {
  if (waitsForRoom(payment)) return happenToCard(deps, payment, { kind: "room_found" }, BY_WORKER);
  const nowMs = deps.clock.nowMs();
  const deadlineMs = payment.deadlineAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (isFinal(payment.state) || nowMs < deadlineMs) return payment;
  if (!EXPIRING.has(payment.state)) return timeOut(deps, payment);
  if (!isQuestionOpen) return happenToCard(deps, payment, { kind: "expired" }, BY_WORKER);
  return nowMs < deadlineMs + CARD_UNKNOWN_MAX_S * 1000 ? payment : timeOut(deps, payment);
}

async function timeOut(deps: JobDeps, payment: StoredPayment): Promise<StoredPayment> {
  return payment.state.startsWith("dispute:") ? payment : happenToCard(deps, payment, { kind: "timed_out" }, BY_WORKER);
}
