import { expectProvider } from "../app/payments/choose-route.ts";
import { leftOfLook, untouchedLook } from "../app/payments/finish-look.ts";
import type { HandOver } from "../app/payments/hand-over.ts";
import type { JobDeps } from "../app/payments/look.ts";
import { openGroupCommit } from "../app/processes/group-commit.ts";
import { kindOf } from "../core/payments/kinds.ts";
import { LATE_LOOKS_S } from "../core/payments/schedule.ts";
import { LEASE_S } from "../core/payments/timers.ts";
import type { Database } from "../store/db.ts";
import {
  type ClaimedPayment,
  claimDuePayments,
  type FinishedLook,
  findNextDueMs,
  finishLooks,
  type ProviderHint,
} from "../store/payments/claims.ts";
import { listenTo } from "../store/processes/listen.ts";
import { startClaimLoop } from "./claim-loop.ts";
import { openHands } from "./hands.ts";
import { openHintedLooks } from "./hinted-looks.ts";
import { clockFrom, JOBS } from "./jobs.ts";
import { openProviderPlaces, type ProviderPlaces } from "./provider-places.ts";

/** Works on payments that are due, as many at once as it may, until it is told to stop. */
export type Worker = {
  readonly inFlight: () => number;
  readonly done: () => number;
  /** Takes payments that this process has just made due. */
  readonly handOver: HandOver;
  /** Takes a provider's hint. False: it has no room, and the hint must be written. */
  readonly takeHint: (hint: ProviderHint) => boolean;
  /** Takes no new work, and waits for what is under way. */
  readonly stop: () => Promise<void>;
};

export type WorkerOptions = {
  readonly inFlightMax?: number;
  readonly placeWaitMs?: number;
};

/** Of one provider at most half of them: see `provider-places.ts`. */
const IN_FLIGHT_MAX = 400;
/**
 * So many it holds that did not come from the queue: twice as many as a provider has places, since the others wait for a
 * commit, or for the next place. More would wait for too long, and be given back.
 */
const HANDED_MAX = 400;
/** A provider that answers has a place long before; behind one that hangs nothing waits for longer. */
const PLACE_WAIT_MS = 1_000;
/** After so long a payment whose provider does not answer comes again. */
const PUT_OFF_S = 30;
/** While there is a crowd, looks that end within so long of each other are written together. */
const LINGER_MS = 25;
const CLAIM = { leaseS: LEASE_S, lateLooksS: LATE_LOOKS_S } as const;

export type WorkerDeps = Omit<JobDeps, "clock" | "leaseUntil">;

/** Something to do that needs a place of its provider. */
type Job = {
  readonly begin: () => Promise<void>;
  readonly giveBack: (afterS: number) => Promise<void>;
  readonly onEnd: () => void;
};

export function startWorker(deps: WorkerDeps, options: WorkerOptions = {}): Worker {
  const { inFlightMax, half, handedMax } = limitsOf(options);
  const finish = openFinish(deps.db, inFlightMax);
  let stopping = false;
  let done = 0;
  const places = openProviderPlaces<Job>({
    placesMax: inFlightMax,
    callsMaxOf: (provider) => deps.findConnector(provider)?.health?.callsMax,
    waitMs: options.placeWaitMs ?? PLACE_WAIT_MS,
    begin: (job) => job.begin().finally(job.onEnd),
    giveBack: (job, afterS) => void job.giveBack(afterS).finally(job.onEnd),
  });
  const hands = openHands({ log: deps.log, onFree: () => loop.onPlace() });
  const end = async (look: FinishedLook) => loop.plan(await finish(look));
  const hinted = openHintedLooks({ ...deps, end, findLook: hands.findLook });

  /** Until it was worked on, or given back. */
  function takePayment(claimed: ClaimedPayment): Promise<void> {
    return hands.lookAt(claimed.requestId, () => look(claimed));
  }

  async function look(claimed: ClaimedPayment): Promise<void> {
    const clock = clockFrom(claimed.now);
    const { leaseUntil } = claimed;
    // Who cannot be told is found out, and reported, by the job itself.
    const provider = await expectProvider(deps, claimed).catch(() => "");
    if (isPutOff(deps, claimed, provider)) return end(untouchedLook(claimed, clock, stopping ? 0 : PUT_OFF_S));
    await inPlace(places, provider, {
      begin: async () => {
        const seen = await JOBS[kindOf(claimed)]({ ...deps, clock, leaseUntil: leaseUntil ?? undefined }, claimed);
        const left = leftOfLook(claimed, seen, new Date(clock.nowMs()));
        if (left !== undefined) await end(left);
        if (seen.ended?.dueAt) loop.plan(seen.ended.dueAt.getTime() - clock.nowMs());
        done += 1;
      },
      giveBack: (afterS) => end(untouchedLook(claimed, clock, stopping ? 0 : afterS)),
    });
  }

  async function followHint(hint: ProviderHint): Promise<void> {
    const prepared = await hinted.prepare(hint);
    if (prepared === undefined) return;
    const begin = async () => {
      await hinted.look(prepared);
      done += 1;
    };
    const job = { begin, giveBack: () => hinted.leave(hint) };
    await hands.lookAt(prepared.payment.requestId, () => inPlace(places, prepared.provider, job));
  }

  async function claim(): Promise<{ count: number; isFull: boolean }> {
    const countMax = Math.max(0, inFlightMax - hands.claimedCount() - Math.min(hands.handedCount(), half));
    const claimed = countMax === 0 ? [] : await claimDuePayments(deps.db, { ...CLAIM, countMax });
    for (const payment of claimed) hands.holdClaimed(takePayment(payment), { request_id: payment.requestId });
    return { count: claimed.length, isFull: claimed.length === countMax };
  }

  /** Where as many wait for a provider as it has places, more would wait for too long. */
  function hasRoom(): boolean {
    return !stopping && hands.handedCount() < handedMax && places.waitingCount() < half;
  }

  const loop = startClaimLoop({ log: deps.log, claim, findNextDueMs: () => findNextDueMs(deps.db) });
  const listening = listenTo(deps, "tillgate_due", loop.wake);

  return {
    inFlight: hands.count,
    done: () => done,
    handOver: { reserve: () => (hasRoom() ? hands.reserve(takePayment) : undefined) },
    takeHint: (hint) => {
      if (!stopping && hinted.isExpected(hint)) return true;
      if (!hasRoom()) return false;
      hands.hold(followHint(hint), { provider: hint.provider });
      return true;
    },
    stop: async () => {
      stopping = true;
      await loop.stop();
      places.close();
      await hands.drain();
      await listening.close();
    },
  };
}

/**
 * Its provider does not answer, and is asked now and then only. What happened to the payment since its last look does not wait:
 * then it was not looked at yet.
 */
function isPutOff({ findConnector }: WorkerDeps, { provider, tries }: ClaimedPayment, expected: string): boolean {
  return provider !== null && tries > 0 && findConnector(expected)?.health?.mayAsk() === false;
}

/** Half of the places is for what is in the queue, however much is handed over. */
function limitsOf({ inFlightMax }: WorkerOptions) {
  if (inFlightMax === undefined) return { inFlightMax: IN_FLIGHT_MAX, half: IN_FLIGHT_MAX / 2, handedMax: HANDED_MAX };
  const half = Math.ceil(inFlightMax / 2);
  return { inFlightMax, half, handedMax: half };
}

/** Until it was done, or given back. */
function inPlace(
  places: ProviderPlaces<Job>,
  provider: string,
  { begin, giveBack }: Omit<Job, "onEnd">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const job = { begin: () => begin().catch(reject), giveBack: (afterS: number) => giveBack(afterS).catch(reject) };
    places.add(provider, { ...job, onEnd: resolve });
  });
}

/** Looks that end together are written together. Answers how long until the first of them is due again. */
function openFinish(db: Database, itemsMax: number) {
  return openGroupCommit({
    itemsMax,
    writersMax: 1,
    isFaultOfOneItem: () => false,
    ownerOf: ({ projectId }: FinishedLook) => projectId,
    lingerMsOf: () => LINGER_MS,
    write: async (looks, lockWaitMs) => {
      const nextDueMs = await finishLooks(db, looks, lockWaitMs);
      return looks.map(() => nextDueMs);
    },
  });
}
