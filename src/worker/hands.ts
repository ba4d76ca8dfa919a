import type { HandedPlace } from "../app/payments/hand-over.ts";
import { reportTrouble } from "../app/processes/report-trouble.ts";
import type { Id } from "../core/ids.ts";
import type { Log } from "../platform/log.ts";
import type { ClaimedPayment } from "../store/payments/claims.ts";

/** What a worker has in its hands: being worked on, waiting for a place, being given back, or about to be handed over. */
export type Hands = {
  readonly count: () => number;
  /** Of these, how many came from the queue, and how many did not. */
  readonly claimedCount: () => number;
  readonly handedCount: () => number;
  readonly hold: (work: Promise<void>, name: object) => void;
  /** The same for what came from the queue. */
  readonly holdClaimed: (work: Promise<void>, name: object) => void;
  /** The look at a payment, which `hold` holds. */
  readonly lookAt: (requestId: Id, look: () => Promise<void>) => Promise<void>;
  /** Ends when the look at the payment does; undefined: there is none now. */
  readonly findLook: (requestId: Id) => Promise<void> | undefined;
  /** Keeps room for one payment that is being written, from now on. */
  readonly reserve: (take: (payment: ClaimedPayment, reservedMs: number) => Promise<void>) => HandedPlace;
  /** Until nothing is left. */
  readonly drain: () => Promise<void>;
};

export function openHands({ log, onFree }: { readonly log: Log; readonly onFree: () => void }): Hands {
  const held = new Set<Promise<void>>();
  let claimed = 0;
  const looks = new Map<Id, Promise<void>>();

  function hold(work: Promise<void>, name: object): void {
    const job = work
      .catch((error) => reportTrouble(log, error, "a payment could not be worked on", { ...name }))
      .finally(() => {
        held.delete(job);
        onFree();
      });
    held.add(job);
  }

  return {
    count: () => held.size,
    claimedCount: () => claimed,
    handedCount: () => held.size - claimed,
    hold,
    holdClaimed: (work, name) => {
      claimed += 1;
      hold(
        work.finally(() => {
          claimed -= 1;
        }),
        name,
      );
    },
    findLook: (requestId) => looks.get(requestId),
    lookAt: async (requestId, look) => {
      const looking = look();
      // Those who wait for its end do not want to know how it went.
      const ended = looking.catch(() => undefined);
      looks.set(requestId, ended);
      try {
        await looking;
      } finally {
        if (looks.get(requestId) === ended) looks.delete(requestId);
      }
    },
    reserve: (take) => {
      let decide: (payment: ClaimedPayment | undefined) => void = () => undefined;
      const handed = new Promise<ClaimedPayment | undefined>((resolve) => {
        decide = resolve;
      });
      const name: { request_id?: string } = {};
      const reservedMs = performance.now();
      hold(
        takeHanded(handed, (payment) => take(payment, reservedMs)),
        name,
      );
      return {
        begin: (payment) => {
          name.request_id = payment.requestId;
          decide(payment);
        },
        free: () => decide(undefined),
      };
    },
    drain: async () => {
      while (held.size > 0) await Promise.all(held);
    },
  };
}

async function takeHanded(
  handed: Promise<ClaimedPayment | undefined>,
  take: (payment: ClaimedPayment) => Promise<void>,
): Promise<void> {
  const payment = await handed;
  if (payment !== undefined) await take(payment);
}
