import {
  CHOSEN,
  DISPUTE,
  FACT,
  OVER,
  SETTING,
  type Standing,
  type TableStanding,
} from "../../core/attention/attention.ts";
import type { BankLineOutcome } from "./bank-line-outcome.ts";
import type { HandPayoutEnd } from "./hand-payout.ts";

/** Everything that a row of the pool can stand for, and whether it waits for a person then: see `STANDINGS`. */
export const POOL_STANDINGS = {
  requisite: {
    on: { unneeded: "it is lent" },
    off: CHOSEN,
    faulty: { by: "faultyRequisites" },
  } satisfies Record<string, Standing>,
  bankLine: {
    exact: OVER,
    other_amount: DISPUTE,
    ended: { by: "suspense" },
    unclaimed: { by: "suspense" },
    payout: OVER,
    return: OVER,
    cost: OVER,
    funds: OVER,
    unexplained: { by: "unexplainedDebits" },
  } satisfies Record<BankLineOutcome, Standing>,
  handPayout: {
    waiting: { by: "waitingPayouts" },
    approved: OVER,
    declined: { unneeded: "the worker takes the next route, or declines the payout" },
    may_have_left: DISPUTE,
    receiver_wrong: DISPUTE,
  } satisfies Record<HandPayoutEnd | "waiting", Standing>,
} as const;

/** For every table of the pool. */
export const POOL_STANDINGS_OF_TABLE: Readonly<Record<string, TableStanding<keyof typeof POOL_STANDINGS>>> = {
  requisites: ["requisite"],
  bank_lines: ["bankLine"],
  hand_payouts: ["handPayout"],
  payer_reveals: FACT,
  account_days: { unneeded: "it is a count" },
  receiving_accounts: SETTING,
  lendings: { unneeded: "it ends with its payment" },
};
