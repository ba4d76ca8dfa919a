import { type DeliverDeps, sendCallback } from "../app/deliver-callback.ts";
import { type RetrySchedule, readRetryAfter, retryDelayS } from "../core/callback/schedule.ts";
import type { EgressAnswer } from "../platform/http-out/answer.ts";
import type { CallbackAttempt, CallbackEnd, ClaimedCallback } from "../store/callback-queue.ts";
import type { Chain } from "./callback-endpoint.ts";

/** What is to be written of one callback after a job. */
export type CallbackNote = {
  readonly end: CallbackEnd;
  readonly attempt: CallbackAttempt | undefined;
  /** The receiver said that the URL is gone. */
  readonly gone: boolean;
};

export type CallbackJobDeps = DeliverDeps & {
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly schedule: RetrySchedule;
  readonly write: (note: CallbackNote) => Promise<void>;
  /** What an endpoint's breaker learns from. */
  readonly observe: (healthy: boolean) => void;
};

/** Nothing is sent to a URL that is gone; it is looked at again in case somebody enabled it unheard. */
const DISABLED_LOOK_MS = 3_600_000;
/** Somebody else delivers an earlier one at this moment: its end wakes this one, and this is the safety net. */
const TURN_LOOK_MS = 5_000;
/** Nothing was sent, and nobody is to blame. */
const TRY_AGAIN_MS = 1_000;

/** Delivers a chain in its order, and stops at the first that fails: what follows waits for it. */
export async function deliverChain(deps: CallbackJobDeps, chain: Chain): Promise<void> {
  for (const [index, callback] of chain.entries()) {
    if (callback.disabled) return postpone(deps, chain.slice(index), DISABLED_LOOK_MS);
    // All that waited before it must be done by now, and all of that was in this chain.
    const isItsTurn = callback.waitingBefore === index;
    if (!isItsTurn && !callback.goesAhead) return postpone(deps, chain.slice(index), TURN_LOOK_MS);
    const retryInMs = await deliverOne(deps, callback);
    if (retryInMs !== undefined) return postpone(deps, chain.slice(index + 1), retryInMs);
  }
}

/** Answers in how many milliseconds it is tried again; undefined when it is delivered or given up. */
async function deliverOne(deps: CallbackJobDeps, callback: ClaimedCallback): Promise<number | undefined> {
  const startedAt = new Date(deps.nowMs());
  const answer = await sendCallback(deps, callback);
  if (answer === undefined || isNobodysFault(answer)) {
    await deps.write({ end: endOf(callback, "pending", TRY_AGAIN_MS), attempt: undefined, gone: false });
    return TRY_AGAIN_MS;
  }
  const attempt = attemptOf(callback, startedAt, answer);
  const delivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
  deps.observe(delivered || isHealthy(answer));
  if (delivered) {
    await deps.write({ end: endOf(callback, "delivered", null, 1), attempt, gone: false });
    return undefined;
  }
  const retryAfterS =
    answer.kind === "answered" ? readRetryAfter(answer.headers["retry-after"], deps.nowMs()) : undefined;
  const delayS = retryDelayS(attempt.number, deps.chance(), retryAfterS, deps.schedule);
  const delayMs = delayS === undefined ? null : delayS * 1000;
  const gone = answer.kind === "answered" && answer.status === 410;
  await deps.write({ end: endOf(callback, delayMs === null ? "dead" : "pending", delayMs, 1), attempt, gone });
  return delayMs ?? undefined;
}

/** Nothing was sent because of us: it is no attempt. */
function isNobodysFault(answer: EgressAnswer): boolean {
  return answer.kind === "failed" && ["busy", "aborted", "closed"].includes(answer.reason);
}

/** A server that refuses quickly is alive: its queue need not be held back for the others' sake. */
function isHealthy(answer: EgressAnswer): boolean {
  return answer.kind === "answered" && answer.status < 500 && answer.status !== 429 && answer.status !== 408;
}

async function postpone(deps: CallbackJobDeps, callbacks: Chain, waitMs: number): Promise<void> {
  for (const callback of callbacks) {
    const { goesAheadInMs } = callback;
    const waits = goesAheadInMs === null || callback.disabled ? waitMs : Math.min(waitMs, Math.max(0, goesAheadInMs));
    await deps.write({ end: endOf(callback, "pending", waits), attempt: undefined, gone: false });
  }
}

export function endOf(
  { projectId, id, requestId, url, attemptCount }: ClaimedCallback,
  state: CallbackEnd["state"],
  dueInMs: number | null,
  attempts = 0,
): CallbackEnd {
  return { projectId, id, requestId, url, state, dueInMs, attemptCount: attemptCount + attempts };
}

function attemptOf(callback: ClaimedCallback, startedAt: Date, answer: EgressAnswer): CallbackAttempt {
  const answered = answer.kind === "answered";
  return {
    projectId: callback.projectId,
    callbackId: callback.id,
    number: callback.attemptCount + 1,
    startedAt,
    latencyMs: answer.latencyMs,
    status: answered ? answer.status : null,
    failure: answered ? null : answer.reason,
    answer: answered && answer.bodyStart.length > 0 ? answer.bodyStart : null,
  };
}
