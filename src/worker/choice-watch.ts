import { openApplyToChoice } from "../app/page/apply-to-choice.ts";
import { endedPayment } from "../app/page/ended-payment.ts";
import { finishedLook } from "../app/payments/finish-look.ts";
import { reportTrouble } from "../app/processes/report-trouble.ts";
import { whileAway } from "../app/processes/while-away.ts";
import { kindOf } from "../core/payments/kinds.ts";
import { FAILED_LOOK_S, LEASE_S } from "../core/payments/timers.ts";
import type { Clock } from "../platform/clock.ts";
import { warnOfError } from "../platform/log-lines/quiet-log.ts";
import { isUnavailable } from "../store/faults.ts";
import {
  type ChoiceName,
  type ClaimedChoice,
  claimEndedChoices,
  type FinishedChoiceLook,
  finishChoiceLook,
  renewChoiceLeases,
} from "../store/page/ended-choices.ts";
import { clockFrom, JOBS } from "./jobs.ts";
import { type LeaseKeeper, openLeaseKeeper } from "./lease-keeper.ts";
import type { WorkerDeps } from "./runner.ts";
import { openSleeper } from "./sleeper.ts";
import { openWorkerPlaces, type WorkerPlaces } from "./worker-places.ts";

/**
 * Watches over choices that hosted pages' payers have left behind: tells their providers that they are over, and notices money that
 * comes for them. Each is looked at like a payment that was declined, by the same jobs and at the same times.
 */
export type ChoiceWatch = { readonly stop: () => Promise<void> };

/** Few payers choose again, and one look at an index of few rows costs little. */
const LOOK_EVERY_MS = 1_000;
const IN_FLIGHT_MAX = 16;
/** So long one waits for a place of its provider; then it comes again later. */
const PLACE_WAIT_MS = 1_000;

/** The database was away: the provider is asked again. */
const AGAIN_AFTER_OUTAGE_S = 1;

type WatchDeps = WorkerDeps & { readonly leases: LeaseKeeper<ChoiceName>; readonly isStopping: () => boolean };

export function startChoiceWatch(deps: WorkerDeps): ChoiceWatch {
  const sleeper = openSleeper();
  const underWay = new Set<Promise<void>>();
  let stopping = false;
  const leases = openLeaseKeeper<ChoiceName>({
    log: deps.log,
    renew: (held, leaseS) => renewChoiceLeases(deps.db, held, leaseS),
  });
  const watchDeps: WatchDeps = { ...deps, leases, isStopping: () => stopping };
  /** A provider that hangs leaves half of the places to the others. */
  const places = openWorkerPlaces(deps, { placesMax: IN_FLIGHT_MAX, waitMs: PLACE_WAIT_MS });

  function begin(claimed: ClaimedChoice, askedMs: number): void {
    const { requestId } = claimed.choice;
    const look = lookAtChoice(watchDeps, places, claimed, askedMs)
      .catch((error) => reportTrouble(deps.log, error, "a choice could not be watched", { request_id: requestId }))
      .finally(() => {
        underWay.delete(look);
        sleeper.wake();
      });
    underWay.add(look);
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      sleeper.arm();
      try {
        const countMax = IN_FLIGHT_MAX - underWay.size;
        const askedMs = performance.now();
        const claimed = countMax === 0 ? [] : await claimEndedChoices(deps.db, { countMax, leaseS: LEASE_S });
        for (const each of claimed) begin(each, askedMs);
      } catch (error) {
        warnOfError(deps.log, error, "choices could not be watched");
        sleeper.arm();
      }
      await sleeper.sleep(LOOK_EVERY_MS);
    }
  }

  const looping = loop();
  return {
    stop: async () => {
      stopping = true;
      sleeper.wake();
      await looping;
      places.close();
      await Promise.all(underWay);
      leases.close();
    },
  };
}

/** One look, or none where its provider has no place for it. What is left of it is written while the lease is held. */
async function lookAtChoice(
  deps: WatchDeps,
  places: WorkerPlaces,
  claimed: ClaimedChoice,
  askedMs: number,
): Promise<void> {
  const { choice, now, leaseUntil } = claimed;
  const clock = clockFrom(now);
  const lease = deps.leases.keep(choice, leaseUntil, askedMs);
  const finish = async (look: Pick<FinishedChoiceLook, "dueAt" | "tries" | "released">) => {
    const { projectId, requestId, number } = choice;
    const finished = { projectId, requestId, number, ...look, leaseUntil: await lease.settle() };
    await whileAway(
      () => finishChoiceLook(deps.db, finished),
      () => !deps.isStopping() && lease.isHeld(),
    );
  };
  /** It is as it was, and due again then. */
  const putOff = (afterS: number) =>
    finish({ dueAt: new Date(clock.nowMs() + afterS * 1_000), tries: choice.tries, released: false });
  try {
    await places.inPlace(choice.provider, {
      begin: async () => finish(await askAboutChoice(deps, claimed, clock)),
      giveBack: putOff,
    });
  } catch (error) {
    // Where even this fails, the lease ends by itself.
    await putOff(isUnavailable(error) ? AGAIN_AFTER_OUTAGE_S : FAILED_LOOK_S).catch(() => undefined);
    throw error;
  } finally {
    lease.drop();
  }
}

async function askAboutChoice(deps: WorkerDeps, { choice, payment }: ClaimedChoice, clock: Clock) {
  const { method, provider, reference, tries } = choice;
  const ended = endedPayment({ ...payment, method, provider, reference, tries }, choice);
  const apply = openApplyToChoice(deps.db, choice);
  const look = await JOBS[kindOf(ended)]({ ...deps, apply, clock, lease: undefined }, ended);
  const { dueAt, released } = finishedLook(look, null, new Date(clock.nowMs()));
  return { dueAt, released, tries: tries + 1 };
}
