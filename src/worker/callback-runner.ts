import type { DeliverDeps } from "../app/deliver-callback.ts";
import { openGroupCommit } from "../app/group-commit.ts";
import { afterAnswer, afterSend } from "../core/callback/breaker.ts";
import { CALLBACK_DELAYS_S, type RetrySchedule } from "../core/callback/schedule.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import {
  type ClaimedCallback,
  claimCallbacks,
  type Endpoint,
  listWaitingEndpoints,
  type WaitingEndpoint,
} from "../store/callback-queue.ts";
import type { Database } from "../store/db.ts";
import { listenTo } from "../store/listen.ts";
import { chainsOf, type EndpointState, maySend, newEndpointState, wantedCount } from "./callback-endpoint.ts";
import { type CallbackJobDeps, type CallbackNote, deliverChain, endOf } from "./callback-job.ts";
import { writeNotes } from "./callback-notes.ts";
import { openSleeper } from "./sleeper.ts";

/** Delivers callbacks that are due, each endpoint by itself, until it is told to stop. */
export type CallbackRunner = {
  readonly figures: () => CallbackFigures;
  readonly stop: () => Promise<void>;
};

export type CallbackFigures = {
  readonly inFlight: number;
  readonly delivered: number;
  readonly failed: number;
  readonly openBreakers: number;
};

export type CallbackRunnerDeps = DeliverDeps & { readonly db: Database; readonly log: Log; readonly clock: Clock };

export type CallbackRunnerOptions = {
  readonly schedule?: RetrySchedule;
  readonly breakerOpenMs?: readonly number[];
};

/** Longer than anything can wait in this process: what was taken by one that died is sent by another after it. */
const LEASE_S = 120;
const POLL_EVERY_MS = 2_000;
/** However many wake it, the queues are looked at no more often than this. */
const LOOK_EVERY_MS = 20;
const PAUSE_AFTER_ERROR_MS = 1_000;
const NOTES_MAX = 500;
/** What is under way gets this long to end by itself. */
const STOP_WITHIN_MS = 5_000;

export function startCallbackRunner(deps: CallbackRunnerDeps, options: CallbackRunnerOptions = {}): CallbackRunner {
  const endpoints = new Map<string, EndpointState>();
  const running = new Set<Promise<void>>();
  const sleeper = openSleeper();
  const nowMs = deps.clock.nowMs;
  let stopping = false;
  let delivered = 0;
  let failed = 0;

  const write = openGroupCommit<CallbackNote, undefined>({
    itemsMax: NOTES_MAX,
    writersMax: 2,
    isFaultOfOneItem: () => false,
    write: async (notes) => {
      await writeNotes(deps.db, notes);
      return notes.map(() => undefined);
    },
  });
  const jobDeps: Omit<CallbackJobDeps, "observe"> = {
    ...deps,
    nowMs,
    chance: Math.random,
    schedule: options.schedule ?? { delaysS: CALLBACK_DELAYS_S },
    write: async (note) => {
      if (note.end.state === "delivered") delivered += 1;
      else if (note.attempt !== undefined) failed += 1;
      await write(note);
    },
  };

  function stateOf(endpoint: Endpoint): EndpointState {
    const name = `${endpoint.projectId} ${endpoint.origin}`;
    const known = endpoints.get(name) ?? newEndpointState({ projectId: endpoint.projectId, origin: endpoint.origin });
    endpoints.set(name, known);
    return known;
  }

  /** Sends as much of an endpoint's queue as may be under way, and goes on as it ends. */
  function pump(state: EndpointState): void {
    while (!stopping && maySend(state, nowMs())) {
      const chain = state.queue.shift() as readonly ClaimedCallback[];
      state.inFlight += 1;
      state.breaker = afterSend(state.breaker);
      const observe = (healthy: boolean) => {
        state.breaker = afterAnswer(state.breaker, healthy, nowMs(), options.breakerOpenMs);
      };
      const job = deliverChain({ ...jobDeps, observe }, chain)
        .catch(reportFailure)
        .finally(() => {
          running.delete(job);
          state.inFlight -= 1;
          pump(state);
          if (state.queue.length === 0) sleeper.wake();
        });
      running.add(job);
    }
    if (state.queue.length > 0 && (stopping || state.breaker.openUntilMs !== undefined)) giveBack(state);
  }

  /** What was taken and cannot be sent now goes back to where any process can take it. */
  function giveBack(state: EndpointState): void {
    const untilMs = stopping ? 0 : Math.max(0, (state.breaker.openUntilMs ?? 0) - nowMs());
    for (const callback of state.queue.splice(0).flat()) {
      const job = write({ end: endOf(callback, "pending", untilMs), attempt: undefined, gone: false })
        .then(() => undefined, reportFailure)
        .finally(() => running.delete(job));
      running.add(job);
    }
  }

  function reportFailure(error: unknown): void {
    deps.log.error({ reason: error instanceof Error ? error.message : "unknown" }, "callbacks could not be delivered");
  }

  /** Takes what is due for every endpoint that can be sent to. Answers how long nothing is to be done. */
  async function takeWork(): Promise<number> {
    const waiting = await listWaitingEndpoints(deps.db);
    const now = nowMs();
    const due = waiting.filter(({ dueInMs }) => dueInMs <= 0);
    const wanted = due
      .map((endpoint) => ({ ...endpoint, countMax: wantedCount(stateOf(endpoint), now) }))
      .filter(({ countMax }) => countMax > 0);
    if (wanted.length > 0) {
      const claimed = await claimCallbacks(deps.db, wanted, LEASE_S);
      const touched = new Set<EndpointState>();
      for (const chain of chainsOf(claimed)) {
        const [first] = chain;
        if (first === undefined) continue;
        const state = stateOf(first);
        state.queue.push(chain);
        touched.add(state);
      }
      for (const state of touched) pump(state);
    }
    return nextLookMs(waiting, now);
  }

  /** What is due and could not be taken waits for a job to end, or for its breaker to let a probe through. */
  function nextLookMs(waiting: readonly WaitingEndpoint[], now: number): number {
    const looks = waiting.map((endpoint) => {
      if (endpoint.dueInMs > 0) return endpoint.dueInMs;
      const { openUntilMs } = stateOf(endpoint).breaker;
      return openUntilMs === undefined ? POLL_EVERY_MS : Math.max(0, openUntilMs - now);
    });
    return Math.min(POLL_EVERY_MS, ...looks);
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        const waitMs = await takeWork();
        await sleeper.sleep(Math.max(LOOK_EVERY_MS, waitMs), LOOK_EVERY_MS);
      } catch (error) {
        reportFailure(error);
        await sleeper.sleep(PAUSE_AFTER_ERROR_MS, PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  const listening = listenTo(deps, "tillgate_callbacks", sleeper.wake);
  const looping = loop();
  return {
    figures: () => {
      const states = [...endpoints.values()];
      const inFlight = states.reduce((sum, state) => sum + state.inFlight, 0);
      const openBreakers = states.filter(({ breaker }) => breaker.openUntilMs !== undefined).length;
      return { inFlight, delivered, failed, openBreakers };
    },
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
      for (const state of endpoints.values()) giveBack(state);
      const timer = setTimeout(() => deps.egress.close(), STOP_WITHIN_MS);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(timer);
      await deps.egress.close();
      await listening.close();
    },
  };
}
