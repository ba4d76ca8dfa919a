import type { PaymentKind } from "../../core/payments/kinds.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import type { ShownPayment } from "../../store/payments/read-payments.ts";
import { secondsBetween, showDistance, showDuration } from "../kit/durations.ts";

/** What a payment's times mean, and what an operator can do about a state, in words. */

/** What happens when the time of a state is up. */
const AT_DEADLINE: Partial<Record<PaymentState, string>> = {
  "processing:new": "it is declined as expired",
  "processing:requisites": "it is declined as expired",
  "processing:awaiting_confirm": "it becomes dispute:no_payment",
  "processing:awaiting_3ds_result": "it is declined as expired, unless its provider owes an answer",
  "processing:awaiting_redirect_result": "it is declined as expired, unless its provider owes an answer",
  "processing:paid": "it becomes dispute:confirm_timeout",
  "dispute:no_payment": "it is declined as expired",
  "processing:payout_process": "it becomes dispute:payout_timeout",
};

/** Why what its provider paid is a shortfall. */
const SHORT: Partial<Record<PaymentState, string>> = {
  decline: "it was declined, but its provider paid it",
  success: "it was settled as paid another way, and its provider also paid it",
};

export function timersOf(payment: ShownPayment): (readonly [name: string, value: string])[] {
  const { state, now, deadlineAt, dueAt, leaseUntil, unknownSince, expiresAt, finishedAt } = payment;
  const { shortfallAt, contradictedAt, unprovenEnd } = payment;
  const open = finishedAt === null;
  const pairs: (readonly [string, string] | undefined)[] = [
    ["created", showDistance(payment.createdAt, now)],
    ["last change", showDistance(payment.updatedAt, now)],
    expiresAt !== null && open ? ["lifetime", ends(expiresAt, now)] : undefined,
    deadlineAt !== null && open
      ? ["deadline", `${showDistance(deadlineAt, now)}: ${AT_DEADLINE[state] ?? "its time is up"}`]
      : undefined,
    dueAt === null ? undefined : ["next look", dueAt > now ? showDistance(dueAt, now) : overdue(dueAt, now)],
    leaseUntil !== null && leaseUntil > now ? ["a worker has it", `for ${between(now, leaseUntil)}`] : undefined,
    unknownSince === null
      ? undefined
      : ["outcome", `unknown for ${between(unknownSince, now)}: the provider has not reported the result`],
    shortfallAt === null
      ? undefined
      : ["shortfall", `${showDistance(shortfallAt, now)}: ${SHORT[state] ?? "its provider paid it"}`],
    contradictedAt === null
      ? undefined
      : ["contradicted", `${showDistance(contradictedAt, now)}: the provider says otherwise; the history says what`],
    unprovenEnd !== null && dueAt !== null
      ? ["proof", "an operator ended it; the worker asks the provider until it says for certain what it did"]
      : undefined,
    finishedAt === null ? undefined : ["finished", showDistance(finishedAt, now)],
  ];
  return pairs.filter((pair) => pair !== undefined);
}

function ends(expiresAt: Date, now: Date): string {
  return expiresAt > now ? `ends ${showDistance(expiresAt, now)}` : `ended ${showDistance(expiresAt, now)}`;
}

function overdue(dueAt: Date, now: Date): string {
  return `due for ${between(dueAt, now)}`;
}

function between(earlier: Date, later: Date): string {
  return showDuration(secondsBetween(earlier, later));
}

const P2P_ADVICE: Partial<Record<PaymentState, string>> = {
  "processing:new": "The merchant can cancel it, and the worker ends it when its lifetime is over.",
  "processing:requisites": "The merchant can cancel it, and the worker ends it when its lifetime is over.",
  "processing:awaiting_confirm":
    "Money that arrives completes it. The merchant can cancel it; a confirm, or the end of its lifetime, moves it on.",
  "dispute:no_payment":
    "Money that arrives completes it. The worker ends it after the grace period; a confirm by the merchant opens it to you.",
};

const PAYOUT_ADVICE: Partial<Record<PaymentState, string>> = {
  "processing:new": "It has not been sent. payment decline cancels it and releases the money.",
  "processing:payout_process":
    "The worker is asking its provider. If the provider does not answer in time, it becomes a dispute, and then you decide.",
};

const BY_HAND_ADVICE = "An operator has to pay it: payout complete marks it paid, payout fail marks it not paid.";

const CARD_ADVICE =
  "The worker is asking its provider whether the card was charged. Without an answer for a day, it becomes a dispute, and then you decide.";

/** What can be done about a payment that cannot be settled or declined by hand now. */
export function adviseOn(kind: PaymentKind, state: PaymentState, provider: string | null): string {
  if (isFinal(state))
    return "What has ended stays as it is. Money that came too late is in suspense: see suspense list.";
  if (kind === "card") return CARD_ADVICE;
  if (state === "processing:payout_process" && provider === POOL_PROVIDER) return BY_HAND_ADVICE;
  const advice = kind === "p2p" ? P2P_ADVICE : PAYOUT_ADVICE;
  return advice[state] ?? "It can be settled or declined.";
}

/**
 * What comes before the money under an open payment can be moved. Money for a transfer that its payer left can stand under a payment
 * that no operator can end yet.
 */
export function adviseOnSuspense(state: PaymentState): string {
  const isOperators = state === "processing:paid" || (state.startsWith("dispute:") && state !== "dispute:no_payment");
  return isOperators ? "settle or decline it first" : "wait until it ends";
}
