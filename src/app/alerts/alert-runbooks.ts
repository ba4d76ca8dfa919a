import type { AttentionEntry } from "../../core/attention/attention.ts";

type Runbook = {
  readonly title: string;
  /** The section of docs/operations.md, "Alerts and what to do". */
  readonly alert: string;
};

/** What a message calls each entry of `attention`, and where it is said what to do. */
export const RUNBOOKS: Readonly<Record<AttentionEntry, Runbook>> = {
  restores: { title: "restored backup: nothing is sent until it is resumed", alert: "TillgateRestoreOpen" },
  late: { title: "payments due, and not processed", alert: "TillgatePaymentsOverdue" },
  lateBatches: { title: "payouts of a batch not made", alert: "TillgatePaymentsOverdue" },
  lateCallbacks: { title: "endpoints whose callbacks are due, and not sent", alert: "TillgateCallbacksLate" },
  openBreakers: { title: "processes to which a provider does not answer", alert: "TillgateProviderBreakerOpen" },
  faultyRequisites: { title: "requisite switched off: cannot be decrypted", alert: "TillgateRequisiteFaulty" },
  ledgerViolations: { title: "violations found by the ledger check", alert: "TillgateLedgerViolations" },
  unknown: { title: "payments with an unknown outcome", alert: "TillgatePaymentsUnknown" },
  shortfalls: { title: "payments paid twice, or after a decline", alert: "TillgateShortfall" },
  contradicted: { title: "payments contradicted after their end", alert: "TillgateContradicted" },
  unexplainedDebits: { title: "debits of own accounts without a payout", alert: "TillgateDebitsUnexplained" },
  disputes: { title: "payments in dispute", alert: "TillgateDisputesNew" },
  waitingPayouts: { title: "payouts to be paid by an operator", alert: "TillgatePayoutsWaiting" },
  unsentPayouts: { title: "payouts that no provider was given", alert: "TillgatePayoutsWaiting" },
  lowProviderBalances: {
    title: "payouts that a provider's balance does not cover",
    alert: "TillgateProviderBalanceLow",
  },
  unreadProviders: { title: "provider that has not told its balance or banks", alert: "TillgateProviderBalanceOld" },
  waitingForRoom: { title: "pay-ins that wait for room in a balance", alert: "TillgateWaitingForRoom" },
  pausedPayouts: { title: "payouts that wait because of a pause", alert: "TillgatePayoutsWaiting" },
  unreversedCharges: { title: "charges after the end, not reversed", alert: "TillgateChargesUnreversed" },
  suspense: { title: "payments with money in suspense", alert: "TillgateSuspenseGrew" },
  deadCallbacks: { title: "callbacks given up", alert: "TillgateCallbacksDead" },
  heldCallbacks: { title: "callbacks held: their URL answered 410", alert: "TillgateCallbacksHeld" },
  endingKeys: { title: "API key that ends, without another one", alert: "TillgateKeysEnding" },
  endingCallbackKeys: { title: "callback key that ends", alert: "TillgateKeysEnding" },
  unpromotedKeys: { title: "callback key whose successor is not promoted", alert: "TillgateKeysEnding" },
  pauses: { title: "pause", alert: "TillgatePaused" },
  pausedProjects: { title: "project paused by its settings", alert: "TillgatePaused" },
};

export function runbookOf(entry: AttentionEntry): string {
  return `docs/operations.md#${RUNBOOKS[entry].alert.toLowerCase()}`;
}
