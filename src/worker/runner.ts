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
import { startClaimLoop } from "./claim-loop.ts";
import { openProviderPlaces } from "./provider-places.ts";

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

export type WorkerDeps = Omit<JobDeps, "clock" | "leaseUntil">;

export function startWorker(deps: WorkerDeps, options: WorkerOptions = {}): Worker {
  const inFlightMax = options.inFlightMax ?? IN_FLIGHT_MAX;
  /** What is claimed: being worked on, waiting for a place, or being given back. */
  const running = new Set<Promise<void>>();
  const finish = openFinish(deps.db, inFlightMax);
  let stopping = false;
  let done = 0;
  const places = openProviderPlaces<Job>({
    placesMax: inFlightMax,
    waitMs: options.placeWaitMs ?? PLACE_WAIT_MS,
    begin: (job) => work(job).finally(job.onEnd),
    giveBack: (job) => void giveBack(job).finally(job.onEnd),
  });

  async function work(job: Job): Promise<void> {
    const { claimed, clock } = job;
    try {
      const { leaseUntil } = claimed;
      const look = await JOBS[kindOf(claimed)]({ ...deps, clock, leaseUntil }, claimed);
      if (look.ended === undefined) await end(finishedLook(look, leaseUntil, new Date(clock.nowMs())));
      else loop.plan(look.ended.dueAt === null ? undefined : look.ended.dueAt.getTime() - clock.nowMs());
      done += 1;
    } catch (error) {
      reportFailure(deps.log, claimed, error);
    }
  }

  async function end(look: FinishedLook): Promise<void> {
    loop.plan(await finish(look));
  }

  async function giveBack(job: Job): Promise<void> {
    const { claimed, clock } = job;
    const look = untouchedLook(claimed, clock, stopping ? 0 : NO_PLACE_S);
    await end(look).catch((error) => reportFailure(deps.log, claimed, error));
  }

  /** Until it was worked on, or given back. */
  function take(claimed: ClaimedPayment): Promise<void> {
    const clock = clockFrom(claimed.now);
    return new Promise((onEnd) => {
      // Who cannot be told is found out, and reported, by the job itself.
      expectProvider(deps, claimed)
        .catch(() => "")
        .then((provider) => places.add(provider, { claimed, clock, onEnd }));
    });
  }

  async function claim(): Promise<{ count: number; isFull: boolean }> {
    const countMax = inFlightMax - running.size;
    const claimed = countMax === 0 ? [] : await claimDuePayments(deps.db, { countMax, leaseS: LEASE_S });
    for (const payment of claimed) {
      const job = take(payment).finally(() => {
        running.delete(job);
        loop.onPlace();
      });
      running.add(job);
    }
    return { count: claimed.length, isFull: claimed.length === countMax };
  }

  const loop = startClaimLoop({ log: deps.log, claim, findNextDueMs: () => findNextDueMs(deps.db) });
  const listening = listenTo(deps, "tillgate_due", loop.wake);

  return {
    inFlight: () => running.size,
    done: () => done,
    stop: async () => {
      stopping = true;
      await loop.stop();
      places.close();
      await Promise.all(running);
      await listening.close();
    },
  };
}

type Job = { readonly claimed: ClaimedPayment; readonly clock: Clock; readonly onEnd: () => void };

/** Looks that end together are written together. Answers how long until the first of them is due again. */
function openFinish(db: Database, itemsMax: number) {
  return openGroupCommit({
    itemsMax,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: ({ projectId }: FinishedLook) => projectId,
    write: async (looks, lockWaitMs) => {
      const nextDueMs = await finishLooks(db, looks, lockWaitMs);
      return looks.map(() => nextDueMs);
    },
  });
}

/** Its lease ends by itself, and then it is taken up again. */
function reportFailure(log: Log, { requestId }: ClaimedPayment, error: unknown): void {
  const reason = error instanceof Error ? error.message : "unknown";
  log.error({ request_id: requestId, reason }, "a payment could not be worked on");
}

const JOBS: Readonly<Record<PaymentKind, (deps: JobDeps, payment: ClaimedPayment) => Promise<Look>>> = {
  transfer: workOnPayin,
  card: workOnCard,
  payout: workOnPayout,
};

/** The database's time, which was so when the payment was claimed. */
function clockFrom(now: Date): Clock {
  const startedMs = performance.now();
  return { nowMs: () => now.getTime() + performance.now() - startedMs };
}
