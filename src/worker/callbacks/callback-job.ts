import { type DeliverDeps, sendCallback } from "../../app/callbacks/deliver-callback.ts";
import { reportTrouble } from "../../app/processes/report-trouble.ts";
import { isDelivered, isGone } from "../../core/callbacks/answer.ts";
import { type RetrySchedule, readRetryAfter, retryDelayS } from "../../core/callbacks/schedule.ts";
import { maskNumbers } from "../../core/mask-numbers.ts";
import type { EgressAnswer } from "../../platform/http-out/answer.ts";
import type { Log } from "../../platform/log.ts";
import type { CallbackAttempt } from "../../store/callbacks/callback-attempts.ts";
import { isUnavailable } from "../../store/faults.ts";
import { type Chain, isItsTurn, type TakenCallback } from "./callback-chain.ts";
import type { CallbackNote } from "./callback-notes.ts";

export type CallbackJobDeps = DeliverDeps & {
  readonly log: Log;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly schedule: RetrySchedule;
  /** Nothing new is sent any more, or it has been here for so long that its lease may not last: others may have it. */
  readonly mustGiveBack: (callback: TakenCallback) => boolean;
};

/** The result of a callback, and what its endpoint can learn from that; undefined where nothing was asked of it. */
export type Attempted = { readonly note: CallbackNote; readonly seen?: SeenAnswer };

type SeenAnswer = { readonly healthy: boolean; readonly latencyMs: number };

/** Nothing was sent, and the endpoint is not at fault. */
const TRY_AGAIN_MS = 1_000;
/** A project that was made a moment ago may not be known here yet. */
const UNREADABLE_LOOK_MS = 5_000;

/** Sends the callback if it is its turn, and says what is to be written of it. */
export async function attemptCallback(
  deps: CallbackJobDeps,
  chain: Chain,
  callback: TakenCallback,
): Promise<Attempted> {
  if (deps.mustGiveBack(callback)) return { note: { kind: "later", callback, dueInMs: 0 } };
  if (!isItsTurn(chain, callback)) return { note: { kind: "behind", callback } };
  const startedAt = new Date(deps.nowMs());
  const answer = await sendOrReport(deps, callback);
  if (answer === "away") return { note: { kind: "later", callback, dueInMs: TRY_AGAIN_MS } };
  if (answer === "unreadable") return { note: { kind: "later", callback, dueInMs: UNREADABLE_LOOK_MS } };
  if (answer === "not_sent") {
    const attempt = attemptOf(callback, startedAt, NOT_SENT);
    return { note: retryOrGiveUp(deps, callback, attempt, undefined) };
  }
  if (isNobodysFault(answer)) return { note: { kind: "later", callback, dueInMs: TRY_AGAIN_MS } };
  const attempt = attemptOf(callback, startedAt, answer);
  const delivered = answer.kind === "answered" && isDelivered(answer.status);
  const seen = { healthy: delivered || isHealthy(answer), latencyMs: answer.latencyMs };
  const note: CallbackNote = delivered
    ? { kind: "attempted", callback, attempt, state: "delivered", dueInMs: null, gone: false }
    : retryOrGiveUp(deps, callback, attempt, answer);
  return { note, seen };
}

/** A callback that we cannot make, such as one whose requisites do not open, must become a dead letter, not be retried without end. */
async function sendOrReport(
  deps: CallbackJobDeps,
  callback: TakenCallback,
): Promise<EgressAnswer | "unreadable" | "not_sent" | "away"> {
  try {
    return (await sendCallback(deps, callback)) ?? "unreadable";
  } catch (error) {
    reportTrouble(deps.log, error, "a callback could not be made", { callback_id: callback.id });
    // What it is made of could not be read now: that is no attempt.
    return isUnavailable(error) ? "away" : "not_sent";
  }
}

function retryOrGiveUp(
  deps: CallbackJobDeps,
  callback: TakenCallback,
  attempt: CallbackAttempt,
  answer: EgressAnswer | undefined,
): CallbackNote {
  const answered = answer?.kind === "answered" ? answer : undefined;
  const retryAfterS = readRetryAfter(answered?.headers["retry-after"], deps.nowMs());
  const delayS = retryDelayS(attempt.number - callback.scheduleFrom, deps.chance(), retryAfterS, deps.schedule);
  const gone = answered !== undefined && isGone(answered.status);
  return delayS === undefined
    ? { kind: "attempted", callback, attempt, state: "dead", dueInMs: null, gone }
    : { kind: "attempted", callback, attempt, state: "pending", dueInMs: delayS * 1000, gone };
}

/** Nothing was sent because of us: it is no attempt. */
function isNobodysFault(answer: EgressAnswer): boolean {
  return answer.kind === "failed" && ["busy", "aborted", "closed"].includes(answer.reason);
}

/** A server that refuses quickly is alive: its queue need not be held back for the others' sake. */
function isHealthy(answer: EgressAnswer): boolean {
  return answer.kind === "answered" && answer.status < 500 && answer.status !== 429 && answer.status !== 408;
}

const NOT_SENT = { kind: "failed", reason: "not_sent", latencyMs: 0 } as const;

function attemptOf(callback: TakenCallback, startedAt: Date, answer: EgressAnswer | typeof NOT_SENT): CallbackAttempt {
  const answered = answer.kind === "answered" ? answer : undefined;
  return {
    projectId: callback.projectId,
    callbackId: callback.id,
    number: callback.attemptCount + 1,
    startedAt,
    latencyMs: answer.latencyMs,
    status: answered?.status ?? null,
    failure: answer.kind === "answered" ? null : answer.reason,
    answer: answered !== undefined && answered.bodyStart.length > 0 ? maskNumbers(answered.bodyStart) : null,
  };
}
