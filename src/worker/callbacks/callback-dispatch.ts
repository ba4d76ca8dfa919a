import type { CallbackOutbox } from "../../app/callbacks/callback-outbox.ts";
import type { DeliverDeps } from "../../app/callbacks/deliver-callback.ts";
import { reportTrouble } from "../../app/processes/report-trouble.ts";
import { afterAnswer, afterNothing, afterSend } from "../../core/callbacks/breaker.ts";
import { CALLBACK_DELAYS_S, type RetrySchedule } from "../../core/callbacks/schedule.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import type { Chain, TakenCallback } from "./callback-chain.ts";
import {
  beginGone,
  dequeue,
  type EndpointState,
  emptyQueue,
  endGone,
  enqueue,
  isGone,
  maySend,
  noteAnswerMs,
  passOn,
  wantedCount,
} from "./callback-endpoint.ts";
import type { Endpoints } from "./callback-endpoints.ts";
import { attemptCallback, type CallbackJobDeps } from "./callback-job.ts";
import { type CallbackNote, openNoteWriter } from "./callback-notes.ts";
import { openOutbox } from "./callback-reservations.ts";

/** Sends what was taken, each endpoint's within its bounds, and writes the results. */
export type Dispatcher = {
  readonly add: (callbacks: readonly TakenCallback[]) => void;
  /** For those that this process writes itself. */
  readonly outbox: CallbackOutbox;
  readonly counts: () => { readonly delivered: number; readonly failed: number };
  /** How many results are not written yet. */
  readonly unwritten: () => number;
  /** From now on nothing is sent any more, and what waits is given back. */
  readonly close: () => void;
  /** Once nothing is under way. */
  readonly settled: () => Promise<void>;
};

export type DispatcherDeps = DeliverDeps & {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  readonly endpoints: Endpoints;
  readonly leaseS: number;
  readonly isPaused?: () => boolean;
  /** There is room for more. */
  readonly onRoom: () => void;
  /** Something in the database is due, or will be at another time than before. */
  readonly onDue: () => void;
};

export type DispatcherOptions = {
  readonly schedule?: RetrySchedule;
  readonly breakerOpenMs?: readonly number[];
};

/** So much of its lease a callback may wait here. The rest is for sending it, ten seconds, and for writing the result. */
const HELD_SHARE_MAX = 0.2;

export function openDispatcher(deps: DispatcherDeps, options: DispatcherOptions): Dispatcher {
  const { endpoints } = deps;
  const { nowMs } = deps.clock;
  const leaseMs = deps.leaseS * 1000;
  const running = new Set<Promise<void>>();
  const counts = { delivered: 0, failed: 0 };
  let closed = false;
  const sendsNothing = () => closed || deps.isPaused?.() === true;

  const { write: writeNote, unwritten } = openNoteWriter({ ...deps, isStopping: () => closed, onWoken: deps.onDue });
  const shared = {
    ...deps,
    nowMs,
    chance: Math.random,
    schedule: options.schedule ?? { delaysS: CALLBACK_DELAYS_S },
    breakerOpenMs: options.breakerOpenMs,
    mustGiveBack: ({ takenAtMs }: TakenCallback) => sendsNothing() || nowMs() - takenAtMs > leaseMs * HELD_SHARE_MAX,
  };

  async function write(state: EndpointState, note: CallbackNote): Promise<void> {
    if (note.kind !== "attempted") return writeNote(note);
    counts[note.state === "delivered" ? "delivered" : "failed"] += 1;
    if (!note.gone) return writeNote(note);
    beginGone(state, note.callback.url);
    await writeNote(note).finally(() => endGone(state, note.callback.url, nowMs(), leaseMs));
  }

  /** Sends as much of an endpoint's queue as may be under way, and goes on as it ends. */
  function pump(state: EndpointState): void {
    while (!closed && maySend(state, nowMs())) track(deliverNext(state));
    if (state.queue.length > 0 && (closed || state.breaker.openUntilMs !== undefined)) giveBack(state);
  }

  /** The place is free for others as soon as the answer is here; the chain goes on when it is written. */
  async function deliverNext(state: EndpointState): Promise<void> {
    const { chain, callback } = dequeue(state);
    state.inFlight += 1;
    try {
      const note = await attempt(shared, { state, chain, callback }).finally(() => {
        state.inFlight -= 1;
      });
      pump(state);
      await write(state, note);
      if (note.kind !== "attempted" || note.state === "pending") deps.onDue();
      else chain.settled.add(callback.sequence);
    } finally {
      passOn(state, chain);
      pump(state);
      if (wantedCount(state, nowMs()) > 0) deps.onRoom();
    }
  }

  /** What was taken and cannot be sent now goes back to where any process can take it. */
  function giveBack(state: EndpointState): void {
    const dueInMs = closed ? 0 : Math.max(0, (state.breaker.openUntilMs ?? 0) - nowMs());
    for (const callback of emptyQueue(state)) track(writeNote({ kind: "later", callback, dueInMs }));
  }

  function track(work: Promise<unknown>): void {
    const job = work
      .catch((error) => reportFailure(deps.log, error))
      .then(() => {
        running.delete(job);
      });
    running.add(job);
  }

  function add(callbacks: readonly TakenCallback[]): void {
    for (const callback of callbacks) enqueue(endpoints.of(callback), callback);
    for (const state of new Set(callbacks.map(endpoints.of))) pump(state);
  }

  return {
    add,
    outbox: openOutbox({ endpoints, leaseS: deps.leaseS, nowMs, isClosed: sendsNothing, add, track }),
    counts: () => counts,
    unwritten,
    close: () => {
      closed = true;
      for (const state of endpoints.list()) giveBack(state);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

type AttemptDeps = CallbackJobDeps & { readonly breakerOpenMs: readonly number[] | undefined };
type Attempt = { readonly state: EndpointState; readonly chain: Chain; readonly callback: TakenCallback };

/** Sends one callback, and tells the breaker of its endpoint the outcome. */
async function attempt(deps: AttemptDeps, { state, chain, callback }: Attempt): Promise<CallbackNote> {
  if (isGone(state, callback)) return { kind: "disabled", callback };
  const { breaker, probe } = afterSend(state.breaker);
  state.breaker = breaker;
  const { note, seen } = await attemptCallback(deps, chain, callback);
  if (seen === undefined) {
    state.breaker = afterNothing(state.breaker, probe);
  } else {
    noteAnswerMs(state, seen.latencyMs);
    const answer = { succeeded: seen.healthy, probe };
    state.breaker = afterAnswer(state.breaker, answer, deps.nowMs(), deps.breakerOpenMs);
  }
  return note;
}

export function reportFailure(log: Log, error: unknown): void {
  reportTrouble(log, error, "callbacks could not be delivered");
}
