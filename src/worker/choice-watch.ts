import { openApplyToChoice } from "../app/page/apply-to-choice.ts";
import { endedPayment } from "../app/page/ended-payment.ts";
import { finishedLook } from "../app/payments/finish-look.ts";
import type { JobDeps } from "../app/payments/look.ts";
import { kindOf } from "../core/payments/kinds.ts";
import { LEASE_S } from "../core/payments/timers.ts";
import { reasonOf } from "../platform/log.ts";
import { type ClaimedChoice, claimEndedChoices, finishChoiceLook } from "../store/page/ended-choices.ts";
import { clockFrom, JOBS } from "./jobs.ts";
import { openProviderPlaces } from "./provider-places.ts";
import type { WorkerDeps } from "./runner.ts";
import { openSleeper } from "./sleeper.ts";

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

type ChoiceJob = {
  readonly claimed: ClaimedChoice;
  readonly settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
};

export function startChoiceWatch(deps: WorkerDeps): ChoiceWatch {
  const sleeper = openSleeper();
  const underWay = new Set<Promise<void>>();
  let stopping = false;

  /** A provider that hangs leaves half of the places to the others. */
  const places = openProviderPlaces<ChoiceJob>({
    placesMax: IN_FLIGHT_MAX,
    waitMs: PLACE_WAIT_MS,
    callsMaxOf: (provider) => deps.findConnector(provider)?.health?.callsMax,
    begin: ({ claimed, settle }) => lookAtChoice(deps, claimed).then(settle.resolve, settle.reject),
    giveBack: ({ claimed, settle }, afterS) => void putOff(deps, claimed, afterS).then(settle.resolve, settle.reject),
  });

  function begin(claimed: ClaimedChoice): void {
    const { requestId, provider } = claimed.choice;
    const look = new Promise<void>((resolve, reject) => places.add(provider, { claimed, settle: { resolve, reject } }))
      // Its lease ends by itself, and then it is taken up again.
      .catch((error) =>
        deps.log.error({ request_id: requestId, reason: reasonOf(error) }, "a choice could not be watched"),
      )
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
        const claimed = countMax === 0 ? [] : await claimEndedChoices(deps.db, { countMax, leaseS: LEASE_S });
        for (const each of claimed) begin(each);
      } catch (error) {
        deps.log.warn({ reason: reasonOf(error) }, "choices could not be watched");
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
    },
  };
}

/** Nothing was asked: it is as it was, and due again then. */
async function putOff({ db }: Pick<JobDeps, "db">, { choice, now, leaseUntil }: ClaimedChoice, afterS: number) {
  const { projectId, requestId, number, tries } = choice;
  const dueAt = new Date(now.getTime() + afterS * 1_000);
  await finishChoiceLook(db, { projectId, requestId, number, leaseUntil, dueAt, tries, released: false });
}

/** One look, and what is left of it. */
async function lookAtChoice(
  deps: Omit<JobDeps, "clock" | "leaseUntil">,
  { choice, payment, now, leaseUntil }: ClaimedChoice,
): Promise<void> {
  const { projectId, requestId, number, method, provider, reference, tries } = choice;
  const clock = clockFrom(now);
  const ended = endedPayment({ ...payment, method, provider, reference, tries }, choice);
  const apply = openApplyToChoice(deps.db, choice);
  const look = await JOBS[kindOf(ended)]({ ...deps, apply, clock, leaseUntil: undefined }, ended);
  const finished = finishedLook(look, leaseUntil, new Date(clock.nowMs()));
  const { dueAt, released } = finished;
  await finishChoiceLook(deps.db, { projectId, requestId, number, leaseUntil, dueAt, tries: tries + 1, released });
}
