import type { ClaimedPayment } from "../../store/payments/claims.ts";
import type { ApplyPayment } from "./apply-payments.ts";

/**
 * The way to the worker of the same process, in memory: a payment that becomes due is written with its lease and then handed
 * over, without a claim and without waking others. A process that dies in between leaves a lease that ends by itself.
 */
export type HandOver = {
  /** Undefined: there is no worker here, or it has no room. Then the payment is left to the queue. */
  readonly reserve: () => HandedPlace | undefined;
};

export const NO_WORKER: HandOver = { reserve: () => undefined };

/** Kept for one payment while it is being written. Exactly one of the two must be called. */
export type HandedPlace = {
  readonly begin: (payment: ClaimedPayment) => void;
  readonly free: () => void;
};

/** For callers other than the worker: what they make due, the worker of this process goes on with. */
export function openHandingApply(apply: ApplyPayment, { reserve }: HandOver): ApplyPayment {
  return async (event) => {
    const place = reserve();
    if (place === undefined) return apply(event);
    let claimed: ClaimedPayment | undefined;
    try {
      const applied = await apply({ ...event, takesLease: true });
      if (applied.ok && applied.value.tookLease && applied.value.leaseUntil !== null)
        claimed = { ...applied.value, leaseUntil: applied.value.leaseUntil };
      return applied;
    } finally {
      if (claimed === undefined) place.free();
      else place.begin(claimed);
    }
  };
}
