import type { Direction, Method } from "../merchants/methods.ts";
import type { UnprovenEnd } from "./after-end.ts";
import { kindOf, type PaymentKind } from "./kinds.ts";
import { isFinal, type PaymentState } from "./states.ts";
import { CARD_SENDING_S } from "./timers.ts";

/**
 * When the worker looks at a payment again, in seconds, look by look; the last value goes on. Providers tell us of most
 * changes, so this is for what they do not tell, and for questions that they did not answer.
 */
const LOOKS_S: Readonly<Record<PaymentKind, Partial<Record<PaymentState, readonly number[]>>>> = {
  card: {
    // The process that took the card is given the time to send it; then the provider is asked.
    "processing:new": [CARD_SENDING_S, 5, 10, 30, 60],
    "processing:awaiting_3ds_result": [15, 30, 60],
    "processing:awaiting_redirect_result": [15, 30, 60],
    "processing:paid": [2, 5, 10, 30, 60],
    "dispute:confirm_timeout": [60, 300, 900],
    "dispute:different_amount": [900],
  },
  p2p: {
    "processing:new": [30],
    "processing:requisites": [1, 2, 5, 10, 30, 60],
    "processing:awaiting_confirm": [10, 30, 60],
    "processing:paid": [4, 5, 10, 30, 60],
    "dispute:no_payment": [30, 60],
    "dispute:confirm_timeout": [60, 300, 900],
    "dispute:different_amount": [60, 300, 900],
  },
  payout: {
    "processing:new": [30],
    "processing:payout_process": [3, 3, 5, 10, 30, 60],
    "dispute:payout_failed": [60, 300, 900],
    "dispute:payout_timeout": [60, 300, 900],
    "dispute:incorrect_requisites": [60, 300, 900],
  },
};

/**
 * After the end, counted from it: money that comes too late, and payouts that left after all, must be noticed. Looks that
 * a hint brought, or that it took to tell the provider of the end, do not use these up. After the last, the worker does not check again.
 */
export const LATE_LOOKS_S: readonly number[] = [30, 300, 3_600, 86_400];

/**
 * A late look counts only when it was answered. A provider that was silent for a moment is asked again soon, so that what ended
 * well does not stand in `attention` as unknown until the next late look; one that stays silent is asked each hour.
 */
const LATE_LOOK_AGAIN_S: readonly number[] = [5, 10, 30, 60, 300, 900, 3_600];

/**
 * An operator ended it, and its provider has not said for certain what it did: the worker asks after as long again as has
 * passed since the end, within these bounds, until the provider does.
 */
const UNPROVEN_LOOK_S = { min: 30, max: 86_400 } as const;

/** A provider that was not told yet is told again this soon, whatever the state. */
const TELL_AGAIN_S: readonly number[] = [1, 2, 5, 10, 30, 60];

/** An acquirer has the charge and has not decided it: a payer who may have to go to the issuer waits at the page. */
const PAYER_WAITS_S: readonly number[] = [1, 2, 3, 5, 10, 30, 60];

/** A settlement that found no room in the balance. */
const ROOM_LOOK_S = 15;

export type LookedAt = {
  readonly direction: Direction;
  readonly method: Method | null;
  readonly state: PaymentState;
  /** How often it was looked at in this state before. */
  readonly tries: number;
  readonly finishedAt: Date | null;
  /** The provider did not answer. */
  readonly unanswered: boolean;
  /** The provider has it and has not decided, and the payer waits for that. */
  readonly payerWaits: boolean;
  readonly unprovenEnd: UnprovenEnd | null;
  /** What the provider said last is neither yes nor no. */
  readonly uncertain: boolean;
  readonly deadlineAt: Date | null;
  /** Something must still be told to the provider: a confirm, or the end. */
  readonly mustTell: boolean;
  readonly waitsForRoom: boolean;
};

/** Null: never, unless something happens. */
export function nextLookAt(payment: LookedAt, now: Date): Date | null {
  if (waitsForPayer(payment)) return payment.deadlineAt;
  const delayS = delayOf(payment, now);
  if (delayS === undefined) return null;
  const { deadlineAt } = payment;
  const look = inSeconds(now, delayS);
  if (deadlineAt === null || deadlineAt >= look) return look;
  // A deadline that is over and could not be acted upon is looked at again soon, not at once.
  return deadlineAt > now ? deadlineAt : inSeconds(now, at(TELL_AGAIN_S, payment.tries));
}

/** The payer of a hosted page chooses, for the first time or again: only the end of the lifetime is due. */
function waitsForPayer({ direction, method, state }: Pick<LookedAt, "direction" | "method" | "state">): boolean {
  return direction === "payin" && method === null && !isFinal(state);
}

function delayOf(payment: LookedAt, now: Date): number | undefined {
  const { state, tries, mustTell, waitsForRoom } = payment;
  const kind = kindOf(payment);
  if (mustTell) return at(TELL_AGAIN_S, tries);
  if (waitsForRoom) return ROOM_LOOK_S;
  if (isFinal(state)) return lateDelayOf(payment, now);
  if (payment.payerWaits) return at(PAYER_WAITS_S, tries);
  return at(LOOKS_S[kind][state] ?? [60], tries);
}

function lateDelayOf(payment: LookedAt, now: Date): number | undefined {
  const { finishedAt } = payment;
  const sinceEndS = finishedAt === null ? 0 : (now.getTime() - finishedAt.getTime()) / 1000;
  if (payment.unprovenEnd !== null && payment.uncertain)
    return Math.min(Math.max(sinceEndS, UNPROVEN_LOOK_S.min), UNPROVEN_LOOK_S.max);
  const againS = payment.unanswered ? at(LATE_LOOK_AGAIN_S, payment.tries) : undefined;
  // If a paid payout comes back, the provider reports it itself.
  if (payment.state === "success" && payment.direction === "payout") return againS;
  const next = LATE_LOOKS_S.find((lookS) => lookS > sinceEndS);
  return next === undefined ? againS : Math.min(next - sinceEndS, againS ?? next);
}

function inSeconds(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

function at(delaysS: readonly number[], tries: number): number {
  return delaysS[Math.min(tries, delaysS.length - 1)] ?? 60;
}

/** When a payment that has just changed is due again; null: never. */
export function dueAfterChange(
  payment: Omit<LookedAt, "tries" | "unanswered" | "payerWaits" | "uncertain">,
  now: Date,
): Date | null {
  const inHand = kindOf(payment) !== "card" && WORK_IN_HAND.has(payment.state) && !waitsForPayer(payment);
  if (payment.mustTell || inHand) return now;
  return nextLookAt({ ...payment, tries: 0, unanswered: false, payerWaits: false, uncertain: true }, now);
}

/** A provider is about to be asked; the process that asks holds a lease, and if it dies another one takes over. */
const WORK_IN_HAND: ReadonlySet<PaymentState> = new Set([
  "processing:new",
  "processing:requisites",
  "processing:payout_process",
]);
