import { openGroupCommit } from "../app/group-commit.ts";
import { kindOf, type PaymentKind } from "../core/payment/kinds.ts";
import { dutyOf, waitsForRoom } from "../core/payment/provider-duties.ts";
import { nextLookAt } from "../core/payment/schedule.ts";
import type { Clock } from "../platform/clock.ts";
import {
  type ClaimedPayment,
  claimDuePayments,
  type FinishedLook,
  findNextDueMs,
  finishLooks,
} from "../store/claims.ts";
import { listenTo } from "../store/listen.ts";
import { workOnCard } from "./card-job.ts";
import type { JobDeps, Look } from "./deps.ts";
import { workOnPayin } from "./payin-job.ts";
import { workOnPayout } from "./payout-job.ts";

/** Works on payments that are due, as many at once as it may, until it is told to stop. */
export type Worker = {
  readonly inFlight: () => number;
  readonly done: () => number;
  /** Takes no new work, and waits for what is under way. */
  readonly stop: () => Promise<void>;
};

export type WorkerOptions = {
  readonly inFlightMax?: number;
};

const IN_FLIGHT_MAX = 200;
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
  const running = new Set<Promise<void>>();
  const finish = openGroupCommit({
    itemsMax: inFlightMax,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    write: async (looks: readonly FinishedLook[]) => {
      await finishLooks(deps.db, looks);
      return looks.map(() => undefined);
    },
  });
  let stopping = false;
  let done = 0;
  let wake: () => void = () => undefined;
  let woken = false;

  /** Remembered when nobody sleeps, so that no call is lost between a look and a sleep. */
  function wakeUp(): void {
    woken = true;
    wake();
  }

  async function sleep(ms: number): Promise<void> {
    if (woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function work(claimed: ClaimedPayment): Promise<void> {
    const clock = clockFrom(claimed.now);
    try {
      const look = await JOBS[kindOf(claimed)]({ ...deps, clock }, claimed);
      await finish(finishedLook(look, claimed.leaseUntil, new Date(clock.nowMs())));
      done += 1;
    } catch (error) {
      // Its lease ends by itself, and then it is taken up again.
      deps.log.error(
        { request_id: claimed.requestId, reason: error instanceof Error ? error.message : "unknown" },
        "a payment could not be worked on",
      );
    }
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      woken = false;
      try {
        await sleep(await takeWork());
      } catch (error) {
        deps.log.warn({ reason: error instanceof Error ? error.message : "unknown" }, "the worker could not take work");
        woken = false;
        await sleep(PAUSE_AFTER_ERROR_MS);
      }
    }
  }

  /** Answers how long nothing is to be done. */
  async function takeWork(): Promise<number> {
    const free = inFlightMax - running.size;
    if (free === 0) return POLL_EVERY_MS;
    const claimed = await claimDuePayments(deps.db, { countMax: free, leaseS: LEASE_S });
    for (const payment of claimed) {
      const job = work(payment).finally(() => {
        running.delete(job);
        wakeUp();
      });
      running.add(job);
    }
    if (claimed.length === free) return POLL_EVERY_MS;
    const nextMs = (await findNextDueMs(deps.db)) ?? POLL_EVERY_MS;
    return Math.min(POLL_EVERY_MS, Math.max(SOONEST_MS, nextMs));
  }

  const listening = listenTo(deps, "tillgate_due", wakeUp);
  const looping = loop();

  return {
    inFlight: () => running.size,
    done: () => done,
    stop: async () => {
      stopping = true;
      wakeUp();
      await looping;
      await Promise.all(running);
      await listening.close();
    },
  };
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

function finishedLook(look: Look, leaseUntil: Date, now: Date): FinishedLook {
  const { payment, confirmTold, released, unknown, uncertain } = look;
  const { projectId, requestId, sequence, tries } = payment;
  const told = {
    ...payment,
    confirmTold: payment.confirmTold || confirmTold === true,
    releasedAt: released ? now : payment.releasedAt,
  };
  const dueAt = nextLookAt(
    {
      ...payment,
      mustTell: dutyOf(told) !== undefined,
      waitsForRoom: waitsForRoom(payment),
      unanswered: unknown === true,
      uncertain: uncertain === true,
    },
    now,
  );
  return {
    projectId,
    requestId,
    leaseUntil,
    sequence,
    dueAt,
    tries: tries + 1,
    confirmTold: confirmTold === true,
    released: released === true,
    unknown: unknown === true,
  };
}
