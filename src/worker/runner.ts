import { workOnCard } from "../app/cards/work-on-card.ts";
import { expectProvider } from "../app/payments/choose-route.ts";
import { finishedLook, untouchedLook } from "../app/payments/finish-look.ts";
import type { JobDeps, Look } from "../app/payments/look.ts";
import { workOnPayin } from "../app/payments/work-on-payin.ts";
import { workOnPayout } from "../app/payments/work-on-payout.ts";
import { openGroupCommit } from "../app/processes/group-commit.ts";
import { kindOf, type PaymentKind } from "../core/payments/kinds.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { Database } from "../store/db.ts";
import {
  type ClaimedPayment,
  claimDuePayments,
  type FinishedLook,
  findNextDueMs,
  finishLooks,
} from "../store/payments/claims.ts";
import { listenTo } from "../store/processes/listen.ts";
import { openProviderPlaces } from "./provider-places.ts";
import { openSleeper } from "./sleeper.ts";

/** Works on payments that are due, as many at once as it may, until it is told to stop. */
export type Worker = {
  readonly inFlight: () => number;
  readonly done: () => number;
  /** Takes no new work, and waits for what is under way. */
  readonly stop: () => Promise<void>;
};

export type WorkerOptions = {
  readonly inFlightMax?: number;
  readonly placeWaitMs?: number;
};

/** Of one provider at most half of them: see `provider-places.ts`. */
const IN_FLIGHT_MAX = 400;
/** A provider that answers has a place long before; behind one that hangs nothing waits for longer. */
const PLACE_WAIT_MS = 1_000;
/** When a payment that found no place is looked at again. */
const NO_PLACE_S = 5;
/** Longer than the slowest job: a payment whose worker died is taken over after it. */
const LEASE_S = 60;
/** The safety net, where a notification was lost. */
const POLL_EVERY_MS = 5_000;
/** After the database did not answer. */
const PAUSE_AFTER_ERROR_MS = 1_000;
const SOONEST_MS = 5;

export type WorkerDeps = Omit<JobDeps, "clock">;

export function startWorker(deps: WorkerDeps, options: WorkerOptions = {}): Worker {
  const inFlightMax = options.inFlightMax ?? IN_FLIGHT_MAX;
  /** What is claimed: being worked on, waiting for a place, or being given back. */
  const running = new Set<Promise<void>>();
  const finish = openFinish(deps.db, inFlightMax);
  const sleeper = openSleeper();
  let stopping = false;
  let done = 0;
  const places = openProviderPlaces<Job>({
    placesMax: inFlightMax,
    waitMs: options.placeWaitMs ?? PLACE_WAIT_MS,
    begin: (job) => work(job).finally(job.onEnd),
    giveBack: (job) =>
      void finishJob(job, untouchedLook(job.claimed, job.clock, stopping ? 0 : NO_PLACE_S)).finally(job.onEnd),
  });

  async function work(job: Job): Promise<void> {
    const { claimed, clock } = job;
    try {
      const look = await JOBS[kindOf(claimed)]({ ...deps, clock }, claimed);
      await finish(finishedLook(look, claimed.leaseUntil, new Date(clock.nowMs())));
      done += 1;
    } catch (error) {
      reportFailure(deps.log, claimed, error);
    }
  }

  async function finishJob({ claimed }: Job, look: FinishedLook): Promise<void> {
    await finish(look).catch((error) => reportFailure(deps.log, claimed, error));
  }

  /** Until it was worked on, or given back. */
  function take(claimed: ClaimedPayment): Promise<void> {
    const clock = clockFrom(claimed.now);
    return new Promise((onEnd) => {
      // Who cannot be told is found out, and reported, by the job itself.
      expectProvider({ ...deps, clock }, claimed)
        .catch(() => "")
        .then((provider) => places.add(provider, { claimed, clock, onEnd }));
    });
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        await sleeper.sleep(await takeWork());
      } catch (error) {
        deps.log.warn({ reason: error instanceof Error ? error.message : "unknown" }, "the worker could not take work");
        sleeper.arm();
        await sleeper.sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  /** Answers how long nothing is to be done. */
  async function takeWork(): Promise<number> {
    const free = inFlightMax - running.size;
    if (free === 0) return POLL_EVERY_MS;
    const claimed = await claimDuePayments(deps.db, { countMax: free, leaseS: LEASE_S });
    for (const payment of claimed) {
      const job = take(payment).finally(() => {
        running.delete(job);
        sleeper.wake();
      });
      running.add(job);
    }
    if (claimed.length === free) return POLL_EVERY_MS;
    const nextMs = (await findNextDueMs(deps.db)) ?? POLL_EVERY_MS;
    return Math.min(POLL_EVERY_MS, Math.max(SOONEST_MS, nextMs));
  }

  const listening = listenTo(deps, "tillgate_due", sleeper.wake);
  const looping = loop();

  return {
    inFlight: () => running.size,
    done: () => done,
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
      places.close();
      await Promise.all(running);
      await listening.close();
    },
  };
}

type Job = { readonly claimed: ClaimedPayment; readonly clock: Clock; readonly onEnd: () => void };

/** Looks that end together are written together, and each payment is due again when its look says. */
function openFinish(db: Database, itemsMax: number) {
  return openGroupCommit({
    itemsMax,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: ({ projectId }: FinishedLook) => projectId,
    write: async (looks, lockWaitMs) => {
      await finishLooks(db, looks, lockWaitMs);
      return looks.map(() => undefined);
    },
  });
}

/** Its lease ends by itself, and then it is taken up again. */
function reportFailure(log: Log, { requestId }: ClaimedPayment, error: unknown): void {
  const reason = error instanceof Error ? error.message : "unknown";
  log.error({ request_id: requestId, reason }, "a payment could not be worked on");
}

const JOBS: Readonly<Record<PaymentKind, (deps: JobDeps, payment: ClaimedPayment) => Promise<Look>>> = {
  p2p: workOnPayin,
  card: workOnCard,
  payout: workOnPayout,
};

/** The database's time, which was so when the payment was claimed. */
function clockFrom(now: Date): Clock {
  const startedMs = performance.now();
  return { nowMs: () => now.getTime() + performance.now() - startedMs };
}
