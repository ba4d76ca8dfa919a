import type { PoolAttention } from "../../app/attention/read-attention.ts";
import { listFaultyRequisites } from "../store/pool-accounts.ts";
import { countUnexplainedDebits, countWaitingPayouts } from "../store/read-hand-payouts.ts";

/** Operators have this long to make a payout by hand before `attention` names it. */
const HAND_PAYOUT_PATIENCE_S = 3_600;

/** What the pool adds to `attention`. */
export const POOL_ATTENTION: PoolAttention = {
  faultyRequisites: listFaultyRequisites,
  unexplainedDebits: countUnexplainedDebits,
  waitingPayouts: (tx) => countWaitingPayouts(tx, HAND_PAYOUT_PATIENCE_S),
};
