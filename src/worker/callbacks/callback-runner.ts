import type { CallbackOutbox } from "../../app/callbacks/callback-outbox.ts";
import type { DeliverDeps } from "../../app/callbacks/deliver-callback.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { claimCallbacks, type WaitingEndpoint } from "../../store/callbacks/callback-queue.ts";
import type { Database } from "../../store/db.ts";
import { listenTo } from "../../store/processes/listen.ts";
import { openSleeper } from "../sleeper.ts";
import { type DispatcherOptions, openDispatcher, reportFailure } from "./callback-dispatch.ts";
import { type EndpointState, findProbeAtMs, wantedCount } from "./callback-endpoint.ts";
import { openEndpoints } from "./callback-endpoints.ts";
import { openRoomBell } from "./callback-room-bell.ts";
import { shareRoom } from "./callback-shares.ts";
import { openCallbackWalk } from "./callback-walk.ts";
import { openNotesFirst } from "./notes-first.ts";

/** Delivers callbacks that are due, each endpoint by itself, until it is told to stop. */
export type CallbackRunner = {
  /** For callbacks that this process writes itself. */
  readonly outbox: CallbackOutbox;
  readonly figures: () => CallbackFigures;
  readonly stop: () => Promise<void>;
};

type CallbackFigures = {
  readonly inFlight: number;
  readonly delivered: number;
  readonly failed: number;
  readonly openBreakers: number;
};

export type CallbackRunnerDeps = DeliverDeps & {
  readonly db: Database;
  readonly log: Log;
  readonly clock: Clock;
  /** Nothing is sent, and what is due waits. Absent: never. */
  readonly isPaused?: () => boolean;
};

export type CallbackRunnerOptions = DispatcherOptions & { readonly leaseS?: number };

/** What was taken by a process that died is sent by another after it. Sending takes at most ten seconds of it. */
const LEASE_S = 15;
const POLL_EVERY_MS = 2_000;
/** However many wake it, the queues are looked at no more often than this. */
const LOOK_EVERY_MS = 20;
/** While endpoints of a crowded project are left to be looked at, though nothing was due at the last ones. */
const LOOK_ON_MS = 100;
const PAUSE_AFTER_ERROR_MS = 1_000;
/** What is under way gets this long to end by itself. */
const STOP_WITHIN_MS = 5_000;

export function startCallbackRunner(deps: CallbackRunnerDeps, options: CallbackRunnerOptions = {}): CallbackRunner {
  const { leaseS = LEASE_S } = options;
  const { nowMs } = deps.clock;
  const endpoints = openEndpoints();
  const walk = openCallbackWalk(deps.db);
  const sleeper = openSleeper();
  const room = openRoomBell(sleeper.wake);
  const dispatcher = openDispatcher({ ...deps, endpoints, leaseS, onRoom: room.free, onDue: sleeper.wake }, options);
  let stopping = false;
  const notesFirst = openNotesFirst(dispatcher.unwritten, () => stopping);

  /** Takes what is due for every endpoint that can be sent to. Answers how long nothing is to be done. */
  async function takeWork(): Promise<number> {
    if (deps.isPaused?.()) return POLL_EVERY_MS;
    room.beginLook();
    const { waiting, crowded, isUnderWay } = await walk.look();
    if (await notesFirst.waited()) return 0;
    endpoints.keepOnly(waiting, crowded);
    const takenAtMs = nowMs();
    const wishes = waiting
      .filter(({ dueInMs }) => dueInMs <= 0)
      .map((endpoint) => ({ ...endpoint, countMax: wantedCount(endpoints.of(endpoint), takenAtMs) }))
      .filter(({ countMax }) => countMax > 0);
    const wanted = shareRoom(wishes, endpoints.heldByProject());
    const claimed = wanted.length > 0 ? await claimCallbacks(deps.db, wanted, leaseS) : [];
    const due = waiting.filter(({ dueInMs }) => dueInMs <= 0);
    room.endLook(endpoints.noteQueues({ due, wanted, claimed, crowded }));
    if (wanted.length > 0) {
      dispatcher.add(claimed.map((callback) => ({ ...callback, takenAtMs })));
      // What is due next lies behind what was taken; and where that was less than it seemed, there is room for others.
      if (claimed.length > 0 || wanted.length < wishes.length || isUnderWay) return 0;
    }
    return Math.min(nextLookMs(waiting), isUnderWay ? LOOK_ON_MS : POLL_EVERY_MS);
  }

  /** What is due and could not be taken waits for a job to end, or for its breaker to let a probe through. */
  function nextLookMs(waiting: readonly WaitingEndpoint[]): number {
    return waiting.reduce((soonestMs, endpoint) => {
      if (endpoint.dueInMs > 0) return Math.min(soonestMs, endpoint.dueInMs);
      const probeAtMs = findProbeAtMs(endpoints.of(endpoint));
      return probeAtMs === undefined ? soonestMs : Math.min(soonestMs, probeAtMs - nowMs());
    }, POLL_EVERY_MS);
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      const beganMs = performance.now();
      try {
        const waitMs = await takeWork();
        // With very many endpoints a look takes its time: no more than half of it is spent looking.
        const atLeastMs = Math.max(LOOK_EVERY_MS, performance.now() - beganMs);
        await sleeper.sleep(Math.max(atLeastMs, waitMs), atLeastMs);
      } catch (error) {
        notesFirst.onError(error);
        reportFailure(deps.log, error);
        await sleeper.sleep(PAUSE_AFTER_ERROR_MS, PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  const listening = listenTo(deps, "tillgate_callbacks", (projectId) => {
    if (projectId !== "") endpoints.forgive(projectId);
    sleeper.wake();
  });
  const looping = loop();
  return {
    outbox: dispatcher.outbox,
    figures: () => ({ ...dispatcher.counts(), ...figuresOf(endpoints.list()) }),
    stop: async () => {
      stopping = true;
      sleeper.wake();
      dispatcher.close();
      await looping;
      const timer = setTimeout(() => deps.egress.close(), STOP_WITHIN_MS);
      await dispatcher.settled();
      clearTimeout(timer);
      await deps.egress.close();
      await listening.close();
    },
  };
}

function figuresOf(states: readonly EndpointState[]): Pick<CallbackFigures, "inFlight" | "openBreakers"> {
  const inFlight = states.reduce((sum, state) => sum + state.inFlight, 0);
  const openBreakers = states.filter(({ breaker }) => breaker.openUntilMs !== undefined).length;
  return { inFlight, openBreakers };
}
