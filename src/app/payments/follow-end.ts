import { judgeEnd, type ProviderWord } from "../../core/payments/after-end.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { JobDeps, Look } from "./look.ts";

type Steps = {
  /** Posts the money that moved after the end, if it is not posted yet. */
  readonly post: () => Promise<StoredPayment>;
  /** Writes down that the provider contradicts the end. */
  readonly contradict: (detail: string) => Promise<StoredPayment>;
};

/** What follows from a provider's word on a payment that is over. The table is `AFTER_END`. */
export async function followEnd(
  deps: Pick<JobDeps, "log">,
  payment: StoredPayment,
  word: ProviderWord,
  { post, contradict }: Steps,
): Promise<Look> {
  switch (judgeEnd(payment, word)) {
    case "agrees":
      return { payment };
    case "ask":
      return { payment, uncertain: true, ...(word === "unknown" ? { unknown: true as const } : {}) };
    case "post": {
      const posted = await post();
      if (payment.shortfallAt === null && posted.shortfallAt !== null) alertShortfall(deps, payment);
      return { payment: posted };
    }
    case "alert": {
      if (payment.contradictedAt !== null) return { payment };
      const contradicted = await contradict(`the provider says: ${word}`);
      if (contradicted.contradictedAt !== null) alertContradicted(deps, payment, word);
      return { payment: contradicted };
    }
  }
}

/** An error in the log is an alert: operators watch for it, and `attention` names the payment. */
function alertShortfall({ log }: Pick<JobDeps, "log">, { requestId, provider }: StoredPayment): void {
  log.error(
    { request_id: requestId, provider },
    "a payout that was declined, or settled another way, was paid: shortfall",
  );
}

export function alertContradicted(
  { log }: Pick<JobDeps, "log">,
  { requestId, provider }: StoredPayment,
  word: ProviderWord,
): void {
  log.error({ request_id: requestId, provider, provider_says: word }, "the provider contradicts how a payment ended");
}
