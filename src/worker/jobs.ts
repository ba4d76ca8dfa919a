import { workOnCard } from "../app/cards/work-on-card.ts";
import type { JobDeps, Look } from "../app/payments/look.ts";
import { workOnPayin } from "../app/payments/work-on-payin.ts";
import { workOnPayout } from "../app/payments/work-on-payout.ts";
import type { PaymentKind } from "../core/payments/kinds.ts";
import type { Clock } from "../platform/clock.ts";
import type { StoredPayment } from "../store/payments/payments.ts";

/** What a look at a payment of each kind is. */
export const JOBS: Readonly<Record<PaymentKind, (deps: JobDeps, payment: StoredPayment) => Promise<Look>>> = {
  p2p: workOnPayin,
  card: workOnCard,
  payout: workOnPayout,
};

/** The database's time, which was so when the payment was read. */
export function clockFrom(now: Date): Clock {
  const startedMs = performance.now();
  return { nowMs: () => now.getTime() + performance.now() - startedMs };
}
