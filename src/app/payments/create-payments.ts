import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { CARD_SENDING_S, LEASE_S } from "../../core/payments/timers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { isDataFault } from "../../store/faults.ts";
import type { ClaimedPayment } from "../../store/payments/claims.ts";
import {
  createCardPayins,
  createPayins,
  createPayouts,
  createWidgetPayins,
  type NewCardPayin,
  type NewPayin,
  type NewPayout,
  type NewWidgetPayin,
  type PaymentOfId,
  type SentTo,
} from "../../store/payments/create-payments.ts";
import { openGroupCommit } from "../processes/group-commit.ts";
import { attemptReference } from "./attempt-reference.ts";
import { type HandOver, NO_WORKER } from "./hand-over.ts";
import { newlyCreated } from "./newly-created.ts";

/** The result of a create: made by this call, or there already with the same body. */
type CreatedPayment = {
  readonly requestId: Id;
  readonly replayed: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

export type CreateFault = "payment_id_conflict" | "insufficient_balance" | "over_daily_limit";

/** Creates that arrive together are committed together; each caller gets its own answer. */
export type CreatePayments = {
  readonly payin: (payin: NewPayin) => Promise<Result<CreatedPayment, CreateFault>>;
  readonly cardPayin: (payin: NewCardPayin) => Promise<Result<CreatedPayment, CreateFault>>;
  readonly widgetPayin: (payin: NewWidgetPayin) => Promise<Result<CreatedPayment, CreateFault>>;
  readonly payout: (payout: NewPayout) => Promise<Result<CreatedPayment, CreateFault>>;
};

const BATCH_MAX = 200;
const WRITERS_MAX = 2;
/** So long a create waits for company in a crowd: at half of the peak a batch of few costs PostgreSQL twice as much for each. */
const LINGER_MS = 3;

export function openCreatePayments(
  db: Database,
  handOver: HandOver = NO_WORKER,
  callersLeaveAfterMs?: number,
): CreatePayments {
  const ownerOf = ({ projectId }: { readonly projectId: Id }) => projectId;
  const lingerMsOf = () => LINGER_MS;
  const limits = {
    ...{ itemsMax: BATCH_MAX, writersMax: WRITERS_MAX, isFaultOfOneItem: isDataFault, ownerOf, lingerMsOf },
    ...(callersLeaveAfterMs === undefined ? {} : { callersLeaveAfterMs }),
  };
  const commitPayin = openGroupCommit({
    ...limits,
    write: (payins: readonly NewPayin[], lockWaitMs) => createPayins(db, payins, lockWaitMs),
  });
  const commitCardPayin = openGroupCommit({
    ...limits,
    write: (payins: readonly NewCardPayin[], lockWaitMs) => createCardPayins(db, payins, CARD_SENDING_S, lockWaitMs),
  });
  const commitWidgetPayin = openGroupCommit({
    ...limits,
    write: (payins: readonly NewWidgetPayin[], lockWaitMs) => createWidgetPayins(db, payins, lockWaitMs),
  });
  const commitPayout = openGroupCommit({
    ...limits,
    write: (payouts: readonly NewPayout[], lockWaitMs) => createPayouts(db, payouts, lockWaitMs),
  });
  return {
    payin: (payin) => handedOver(handOver, payin, "payin", async (leased) => judge(payin, await commitPayin(leased))),
    cardPayin: async (payin) => judge(payin, await commitCardPayin(payin)),
    widgetPayin: async (payin) => judge(payin, await commitWidgetPayin(payin)),
    payout: (payout) =>
      handedOver(handOver, payout, "payout", async (leased) => judge(payout, await commitPayout(leased))),
  };
}

/** Created with a lease, where this process's worker has room, and handed to it. */
async function handedOver<T extends NewPayin | NewPayout>(
  { reserve }: HandOver,
  payment: T,
  direction: Direction,
  commit: (payment: T) => Promise<Result<CreatedPayment, CreateFault>>,
): Promise<Result<CreatedPayment, CreateFault>> {
  const place = reserve();
  if (place === undefined) return commit(payment);
  let claimed: ClaimedPayment | undefined;
  try {
    const created = await commit(Object.assign(payment, { leaseS: LEASE_S }, firstAttempt(payment)));
    if (created.ok && !created.value.replayed) claimed = newlyCreated(payment, direction, created.value);
    return created;
  } finally {
    if (claimed === undefined) place.free();
    else place.begin(claimed);
  }
}

/** With whom the worker begins, where that is known: then its reference is committed with the payment. */
function firstAttempt(payment: NewPayin | NewPayout): { readonly sentTo?: SentTo } {
  if (!("asksFirst" in payment) || payment.asksFirst === undefined) return {};
  const { projectId, paymentId, asksFirst } = payment;
  const reference = attemptReference({ projectId, paymentId, direction: "payin" }, 1);
  return { sentTo: { provider: asksFirst.code, reference, reasons: asksFirst.reasons } };
}

function judge(wanted: NewPayin | NewPayout, found: PaymentOfId): Result<CreatedPayment, CreateFault> {
  if (found.verdict !== "found")
    return fail(found.verdict === "over_limit" ? "over_daily_limit" : "insufficient_balance");
  const { requestId, bodyHash, createdAt, expiresAt } = found;
  const replayed = requestId !== wanted.requestId;
  // The same id was used for another body.
  if (replayed && !bodyHash.equals(wanted.bodyHash)) return fail("payment_id_conflict");
  return ok({ requestId, replayed, createdAt, expiresAt });
}
