import { expectProvider } from "../app/payments/choose-route.ts";
import { leftOfLook, untouchedLook } from "../app/payments/finish-look.ts";
import type { HeldLease, JobDeps } from "../app/payments/look.ts";
import { kindOf } from "../core/payments/kinds.ts";
import { FAILED_LOOK_S } from "../core/payments/timers.ts";
import type { Clock } from "../platform/clock.ts";
import { isUnavailable } from "../store/faults.ts";
import type { ClaimedPayment, FinishedLook } from "../store/payments/claims.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { clockFrom, JOBS } from "./jobs.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";
import type { PlaceJob } from "./worker-places.ts";

/**
 * A look at a payment that was claimed or handed over: until it was worked on, or given back. `askedMs`: when the database was asked
 * for its lease.
 */
export type ClaimedLook = (claimed: ClaimedPayment, askedMs: number) => Promise<void>;

export type ClaimedLooksDeps = Omit<JobDeps, "clock" | "lease"> & {
  readonly leases: LeaseKeeper<PaymentKey>;
  readonly inPlace: (provider: string, job: PlaceJob) => Promise<void>;
  /** Writes what is left of a look; where the database is away, as long as the lease is held. */
  readonly end: (look: FinishedLook, lease: HeldLease | undefined) => Promise<void>;
  readonly isStopping: () => boolean;
  /** The look is over, and its payment is due again then. */
  readonly onDone: (dueInMs: number | undefined) => void;
};

/** After so long a payment whose provider does not answer comes again. */
const PUT_OFF_S = 30;
/** The database was away: what happened at the provider is asked for again, under the same reference. */
const AGAIN_AFTER_OUTAGE_S = 1;

export function openClaimedLooks(deps: ClaimedLooksDeps): ClaimedLook {
  const { leases, end, isStopping } = deps;

  async function work(claimed: ClaimedPayment, clock: Clock, lease: HeldLease | undefined): Promise<void> {
    const giveBack = (afterS: number) => giveBackAfter(claimed, clock, lease, isStopping() ? 0 : afterS);
    // Who cannot be told is found out, and reported, by the job itself.
    const provider = await expectProvider(deps, claimed).catch(() => "");
    if (isPutOff(deps, claimed, provider)) return giveBack(PUT_OFF_S);
    await deps.inPlace(provider, {
      begin: async () => {
        const seen = await JOBS[kindOf(claimed)]({ ...deps, clock, lease }, claimed);
        const leaseUntil = await endOfLease(lease);
        const left = leftOfLook(claimed, seen, leaseUntil, new Date(clock.nowMs()));
        if (left !== undefined) await end(left, lease);
        deps.onDone(seen.ended?.dueAt ? seen.ended.dueAt.getTime() - clock.nowMs() : undefined);
      },
      giveBack,
    });
  }

  async function giveBackAfter(claimed: ClaimedPayment, clock: Clock, lease: HeldLease | undefined, afterS: number) {
    await end(untouchedLook(claimed, await endOfLease(lease), clock, afterS), lease);
  }

  return async (claimed, askedMs) => {
    const clock = clockFrom(claimed.now);
    const { leaseUntil } = claimed;
    const lease = leaseUntil === null ? undefined : leases.keep(claimed, leaseUntil, askedMs);
    try {
      await work(claimed, clock, lease);
    } catch (error) {
      // Where even this fails, the lease ends by itself.
      const afterS = isUnavailable(error) ? AGAIN_AFTER_OUTAGE_S : FAILED_LOOK_S;
      await giveBackAfter(claimed, clock, lease, afterS).catch(() => undefined);
      throw error;
    } finally {
      lease?.drop();
    }
  };
}

/** Null: the claim of a late look took none. */
async function endOfLease(lease: HeldLease | undefined): Promise<Date | null> {
  return lease === undefined ? null : lease.settle();
}

/**
 * Its provider does not answer, and is asked now and then only. What happened to the payment since its last look does not wait:
 * then it was not looked at yet.
 */
function isPutOff(
  { findConnector }: Pick<JobDeps, "findConnector">,
  { provider, tries }: ClaimedPayment,
  expected: string,
): boolean {
  return provider !== null && tries > 0 && findConnector(expected)?.health?.mayAsk() === false;
}
