import type { CallbackState } from "../callbacks/states.ts";
import type { Account, ClearingAccount } from "../ledger/accounts.ts";
import type { HoldState } from "../ledger/hold-state.ts";
import type { PauseKind } from "../merchants/pause-kind.ts";
import type { PaymentPile } from "../payments/piles.ts";
import type { CardPayinState, P2pPayinState, PayoutState } from "../payments/states.ts";
import type { BatchRowState, BatchState } from "../payout-batches/batch-states.ts";
import type { BreakerState } from "../provider-window.ts";

/** What `attention` can name, the most urgent first: what no process works on, money that may be lost, then what waits. */
export const ATTENTION_ENTRIES = [
  "restores",
  "late",
  "lateBatches",
  "lateCallbacks",
  "openBreakers",
  "faultyRequisites",
  "ledgerViolations",
  "unknown",
  "shortfalls",
  "contradicted",
  "unexplainedDebits",
  "disputes",
  "waitingPayouts",
  "unsentPayouts",
  "lowProviderBalances",
  "unreadProviders",
  "waitingForRoom",
  "pausedPayouts",
  "unreversedCharges",
  "suspense",
  "deadCallbacks",
  "heldCallbacks",
  "endingKeys",
  "endingCallbackKeys",
  "unpromotedKeys",
  "pauses",
  "pausedProjects",
] as const;
export type AttentionEntry = (typeof ATTENTION_ENTRIES)[number];

/** Whether something that stands so waits for a person: the entry that says so, or why none is needed. */
export type Standing = { readonly by: AttentionEntry } | { readonly unneeded: string };

const TIMER = { unneeded: "its deadline ends the state" } as const;
const RETRIED = { unneeded: "the worker looks again by itself" } as const;
export const OVER = { unneeded: "it has ended" } as const;
export const CHOSEN = { unneeded: "an operator chose it, and other commands show it" } as const;
export const DISPUTE = { by: "disputes" } as const;

/**
 * Everything that a row can stand for, and whether it waits for a person then. The program does not compile while a state
 * of a machine is missing here; a test compares the table with the tables and the CHECKs of the database. What the pool's
 * rows can stand for is in `pool/core/pool-standings.ts`.
 */
export const STANDINGS = {
  p2pPayin: {
    "processing:new": TIMER,
    "processing:requisites": TIMER,
    "processing:awaiting_confirm": TIMER,
    "processing:paid": TIMER,
    "dispute:no_payment": { unneeded: "late money settles it, and after the grace period it is declined" },
    "dispute:different_amount": DISPUTE,
    "dispute:confirm_timeout": DISPUTE,
    success: OVER,
    decline: OVER,
  } satisfies Record<P2pPayinState, Standing>,
  cardPayin: {
    "processing:new": TIMER,
    "processing:awaiting_3ds_result": TIMER,
    "processing:awaiting_redirect_result": TIMER,
    "processing:paid": TIMER,
    "dispute:different_amount": DISPUTE,
    "dispute:confirm_timeout": DISPUTE,
    success: OVER,
    decline: OVER,
  } satisfies Record<CardPayinState, Standing>,
  payout: {
    "processing:new": { by: "unsentPayouts" },
    "processing:payout_process": TIMER,
    "dispute:payout_failed": DISPUTE,
    "dispute:payout_timeout": DISPUTE,
    "dispute:incorrect_requisites": DISPUTE,
    success: OVER,
    decline: OVER,
  } satisfies Record<PayoutState, Standing>,
  pile: {
    late: { by: "late" },
    unknown: { by: "unknown" },
    shortfall: { by: "shortfalls" },
    contradicted: { by: "contradicted" },
    room: { by: "waitingForRoom" },
    unsent: { by: "unsentPayouts" },
    paused: { by: "pausedPayouts" },
  } satisfies Record<PaymentPile, Standing>,
  /** A charge that came after the end. */
  lateCharge: {
    owed: { unneeded: "the worker asks its provider to reverse it until it has" },
    unreversible: { by: "unreversedCharges" },
    reversed: OVER,
  } satisfies Record<string, Standing>,
  attempt: {
    open: RETRIED,
    taken: RETRIED,
    refused: { by: "unsentPayouts" },
    conflict: DISPUTE,
  } satisfies Record<"open" | "taken" | "refused" | "conflict", Standing>,
  /** Money of an account. */
  money: {
    available: { unneeded: "it is the merchant's" },
    locked: { unneeded: "the payout that it is locked for says who is waited for" },
    fees: { unneeded: "it is the house's" },
    clearing: { unneeded: "reconcile proves it day by day" },
    suspense: { by: "suspense" },
    shortfall: { by: "shortfalls" },
  } satisfies Record<Exclude<Account, ClearingAccount> | "clearing", Standing>,
  hold: {
    open: { unneeded: "the payout that it is for says who is waited for; reserves are made by a seed alone" },
    released: OVER,
    captured: OVER,
  } satisfies Record<HoldState, Standing>,
  callback: {
    pending: { by: "lateCallbacks" },
    held: { by: "heldCallbacks" },
    dead: { by: "deadCallbacks" },
    dismissed: OVER,
    delivered: OVER,
  } satisfies Record<CallbackState, Standing>,
  callbackKey: {
    current: { unneeded: "it signs" },
    retiring: { by: "endingCallbackKeys" },
    unpromoted: { by: "unpromotedKeys" },
    retired: OVER,
  } satisfies Record<string, Standing>,
  apiKey: {
    valid: { unneeded: "it works" },
    ending: { by: "endingKeys" },
    revoked: OVER,
  } satisfies Record<string, Standing>,
  pause: {
    payouts: { by: "pauses" },
    project: { by: "pauses" },
    method: { by: "pauses" },
    provider: { by: "pauses" },
  } satisfies Record<PauseKind, Standing>,
  payoutBatch: {
    checked: { unneeded: "the account shows it to its author" },
    awaiting_approval: { unneeded: "the account shows it to the merchant's people, who decide" },
    making: { by: "lateBatches" },
    done: OVER,
    refused: OVER,
    withdrawn: OVER,
  } satisfies Record<BatchState, Standing>,
  payoutBatchRow: {
    waiting: { unneeded: "its batch says who is waited for" },
    made: { unneeded: "its payout says who is waited for" },
    refused: { unneeded: "the account shows it to its author, who can retry it" },
    failed: { unneeded: "the account shows it to its author, who can retry it" },
  } satisfies Record<BatchRowState, Standing>,
  ledgerCheck: {
    right: { unneeded: "the books were right" },
    violated: { by: "ledgerViolations" },
  } satisfies Record<string, Standing>,
  breaker: {
    closed: { unneeded: "the provider answers" },
    open: { by: "openBreakers" },
    half_open: { by: "openBreakers" },
  } satisfies Record<BreakerState, Standing>,
  /** What we have at a provider, as it last said. */
  providerBalance: {
    enough: { unneeded: "it covers the payouts that wait for it" },
    low: { by: "lowProviderBalances" },
    unread: { by: "unreadProviders" },
  } satisfies Record<string, Standing>,
  restore: {
    open: { by: "restores" },
    resumed: OVER,
  } satisfies Record<string, Standing>,
  project: {
    active: { unneeded: "it works" },
    paused: { by: "pausedProjects" },
  } satisfies Record<"active" | "paused", Standing>,
} as const;

/** What the rows of a table can stand for; or why they wait for no person. */
export type TableStanding<Stands> = readonly Stands[] | { readonly unneeded: string };

export const FACT = { unneeded: "it is written once, and waits for nothing" } as const;
export const SETTING = { unneeded: "it is a setting" } as const;

/** For every table of the database but the pool's. */
export const STANDINGS_OF_TABLE: Readonly<Record<string, TableStanding<keyof typeof STANDINGS>>> = {
  payments: ["p2pPayin", "cardPayin", "payout", "pile", "lateCharge"],
  attempts: ["attempt"],
  transfers: ["money"],
  balances: ["money"],
  holds: ["hold"],
  callbacks: ["callback"],
  disabled_callback_urls: ["callback"],
  callback_keys: ["callbackKey"],
  echo_endpoints: SETTING,
  echoed_callbacks: { unneeded: "newer ones take its place" },
  api_keys: ["apiKey"],
  pauses: ["pause"],
  projects: ["project"],
  adjustments: FACT,
  ledger_checks: ["ledgerCheck"],
  callback_attempts: FACT,
  card_payins: FACT,
  payer_pages: FACT,
  page_choices: { unneeded: "what comes for one that is over stands in suspense" },
  payment_history: FACT,
  receipts: FACT,
  reversals: FACT,
  operator_references: FACT,
  suspense_moves: FACT,
  daily_usage: { unneeded: "it is a count" },
  banks: SETTING,
  merchants: SETTING,
  project_limits: SETTING,
  project_methods: SETTING,
  project_routes: SETTING,
  providers: SETTING,
  provider_keys: SETTING,
  provider_banks: SETTING,
  provider_health: ["breaker"],
  card_bins: SETTING,
  card_bin_imports: FACT,
  provider_balances: ["providerBalance"],
  provider_funds: FACT,
  provider_readings: ["providerBalance"],
  settings: SETTING,
  restores: ["restore"],
  database_pulse: { unneeded: "a restore that it shows is a row of its own" },
  processes: { unneeded: "what a process that died left undone is late" },
  data_keys: { unneeded: "a process that lacks the key of one does not start, and says so" },
  directory_version: { unneeded: "it is a count" },
  audit_log: FACT,
  people: SETTING,
  memberships: SETTING,
  merchant_security: SETTING,
  totp_factors: SETTING,
  passkeys: SETTING,
  recovery_codes: SETTING,
  invitations: { unneeded: "the account shows it to those who invited, and it ends after 72 hours" },
  password_resets: { unneeded: "it ends after an hour" },
  sessions: { unneeded: "it ends by itself, and the account shows it to its person" },
  sign_in_guesses: { unneeded: "it is a count" },
  directory_changes: { unneeded: "it is a count" },
  key_notices: FACT,
  alert_channels: { unneeded: "the worker retries by itself, and a metric reports a channel that refuses" },
  alert_findings: { unneeded: "it records what was sent" },
  payout_batches: ["payoutBatch"],
  payout_batch_rows: ["payoutBatchRow"],
  payout_approval_limits: SETTING,
  request_log: { unneeded: "newer calls take its place" },
  schema_migrations: { unneeded: "a process with another schema is not ready, and says so" },
};
