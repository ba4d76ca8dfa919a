import type { HandOver } from "../app/payments/hand-over.ts";
import type { HeldLease, JobDeps } from "../app/payments/look.ts";
import { openGroupCommit } from "../app/processes/group-commit.ts";
import { whileAway } from "../app/processes/while-away.ts";
import { LATE_LOOKS_S } from "../core/payments/schedule.ts";
import { LEASE_S } from "../core/payments/timers.ts";
import { within } from "../platform/within.ts";
import type { Database } from "../store/db.ts";
import {
  type ClaimedPayment,
  claimDuePayments,
  type FinishedLook,
  findNextDueMs,
  finishLooks,
  type ProviderHint,
  renewLeases,
} from "../store/payments/claims.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { listenTo } from "../store/processes/listen.ts";
import { startClaimLoop } from "./claim-loop.ts";
import { openClaimedLooks } from "./claimed-looks.ts";
import { openFollowHint } from "./follow-hint.ts";
import { openHands } from "./hands.ts";
import { openHintedLooks } from "./hinted-looks.ts";
import { openLeaseKeeper } from "./lease-keeper.ts";
import { openWorkerPlaces } from "./worker-places.ts";

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
/** While there is a crowd, looks that end within so long of each other are written together. */
const LINGER_MS = 25;
const CLAIM = { leaseS: LEASE_S, lateLooksS: LATE_LOOKS_S } as const;

export type WorkerDeps = Omit<JobDeps, "clock" | "lease">;

export function startWorker(deps: WorkerDeps, options: WorkerOptions = {}): Worker {
  const { inFlightMax, half, handedMax } = limitsOf(options);
  const finish = openFinish(deps.db, inFlightMax);
  let stopping = false;
  let done = 0;
  const places = openWorkerPlaces(deps, { placesMax: inFlightMax, waitMs: options.placeWaitMs ?? PLACE_WAIT_MS });
  const leases = openLeaseKeeper<PaymentKey>({
    log: deps.log,
    renew: (held, leaseS) => renewLeases(deps.db, held, leaseS),
  });
  const hands = openHands({ log: deps.log, onFree: () => loop.onPlace() });
  /** A database that is away for a moment is waited for as long as the lease is held; then others can take the payment. */
  const end = async (look: FinishedLook, lease: HeldLease | undefined) => {
    const mayWait = lease?.isHeld ?? within(LEASE_S * 1_000);
    loop.plan(
      await whileAway(
        () => finish(look),
        () => !stopping && mayWait(),
      ),
    );
  };
  const onDone = (dueInMs?: number) => {
    done += 1;
    loop.plan(dueInMs);
  };
  const shared = { isStopping: () => stopping, inPlace: places.inPlace, onDone };
  const look = openClaimedLooks({ ...deps, ...shared, leases, end });
  const hinted = openHintedLooks({ ...deps, leases, end, findLook: hands.findLook });
  const followHint = openFollowHint({ ...shared, hinted, hands, log: deps.log });

  /** Until it was worked on, or given back. */
  function takePayment(claimed: ClaimedPayment, askedMs: number): Promise<void> {
    return hands.lookAt(claimed.requestId, () => look(claimed, askedMs));
  }

  async function claim(): Promise<{ count: number; isFull: boolean }> {
    const countMax = Math.max(0, inFlightMax - hands.claimedCount() - Math.min(hands.handedCount(), half));
    const askedMs = performance.now();
    const claimed = countMax === 0 ? [] : await claimDuePayments(deps.db, { ...CLAIM, countMax });
    for (const payment of claimed) hands.holdClaimed(takePayment(payment, askedMs), { request_id: payment.requestId });
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
      leases.close();
      await listening.close();
    },
  };
}

/** Half of the places is for what is in the queue, however much is handed over. */
function limitsOf({ inFlightMax }: WorkerOptions) {
  if (inFlightMax === undefined) return { inFlightMax: IN_FLIGHT_MAX, half: IN_FLIGHT_MAX / 2, handedMax: HANDED_MAX };
  const half = Math.ceil(inFlightMax / 2);
  return { inFlightMax, half, handedMax: half };
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
