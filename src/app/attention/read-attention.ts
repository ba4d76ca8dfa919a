import { type AttentionEntry, STANDINGS, type Standing } from "../../core/attention/attention.ts";
import type { Currency } from "../../core/currency.ts";
import { groupBy } from "../../core/group-by.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import {
  countContradicted,
  countDisputes,
  countLate,
  countPausedPayouts,
  countShortfalls,
  countSuspense,
  countUnknown,
  countUnreversedCharges,
  countUnsentPayouts,
  countWaitingForRoom,
  type DisputePile,
  type FaultyRequisite,
  listPausedProjects,
  type PausedProject,
  type Pile,
  readOldestDueS,
  type UnreversedPile,
} from "../../store/attention/attention.ts";
import { listLateBatches, type OpenBatch } from "../../store/attention/attention-batches.ts";
import {
  type CallbackPile,
  countDeadCallbacks,
  countHeldCallbacks,
  type HeldPile,
  type LateEndpoints,
  listLateEndpoints,
} from "../../store/attention/attention-callbacks.ts";
import {
  type EndingCallbackKey,
  type EndingKey,
  listEndingCallbackKeys,
  listEndingKeys,
} from "../../store/attention/attention-keys.ts";
import {
  type LowBalance,
  listLowBalances,
  listUnreadProviders,
  type UnreadProvider,
} from "../../store/attention/attention-providers.ts";
import { listUnpromotedKeys, type UnpromotedKey } from "../../store/callbacks/callback-keys.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { type FailedLedgerCheck, listFailedLedgerCheck } from "../../store/ledger/ledger-checks.ts";
import { listPauses, type Pause } from "../../store/merchants/pauses.ts";
import { listOpenBreakers, type OpenBreaker } from "../../store/providers/provider-health.ts";
import { listOpenRestores, type Restore } from "../../store/restore/restores.ts";

/** What a person should look at; `core/attention/attention.ts` says which states each entry stands for. */
export type Attention = {
  /** A restored backup that no operator has checked and resumed: payouts, exports, card charges and callbacks wait. */
  readonly restores: readonly Restore[];
  /** Due for more than a minute, and no worker has processed them. */
  readonly late: { readonly count: number; readonly oldestS: number };
  /** Batches of payouts that a merchant's people confirmed, and that no worker has finished. */
  readonly lateBatches: readonly OpenBatch[];
  /** Due for more than an hour, and not sent. */
  readonly lateCallbacks: readonly LateEndpoints[];
  /** Providers that do not answer: new payments go to others of their routes, or wait. */
  readonly openBreakers: readonly OpenBreaker[];
  /** Switched off because they could not be decrypted: an attacker may have changed them. */
  readonly faultyRequisites: readonly FaultyRequisite[];
  /** What the last `ledger check` found, until one finds nothing. */
  readonly ledgerViolations: readonly FailedLedgerCheck[];
  readonly unknown: readonly Pile[];
  readonly shortfalls: readonly Pile[];
  /** Their providers say otherwise than they ended. */
  readonly contradicted: readonly Pile[];
  readonly disputes: readonly DisputePile[];
  readonly waitingForRoom: readonly Pile[];
  readonly pausedPayouts: readonly Pile[];
  /** By hand, for more than an hour. */
  readonly waitingPayouts: readonly Pile[];
  /** No provider has them, though payouts are not paused. */
  readonly unsentPayouts: readonly Pile[];
  /** They do not cover the payouts that wait for them. */
  readonly lowProviderBalances: readonly LowBalance[];
  /** They have not told their balances or banks for a while. */
  readonly unreadProviders: readonly UnreadProvider[];
  /** Debits of receiving accounts that are not explained. */
  readonly unexplainedDebits: readonly Pile[];
  /** Charges after the end, at providers that cannot reverse them: part of what is in suspense. */
  readonly unreversedCharges: readonly UnreversedPile[];
  readonly suspense: readonly Pile[];
  /** Given up after the last retry. */
  readonly deadCallbacks: readonly CallbackPile[];
  /** Their URL answered 410 Gone. */
  readonly heldCallbacks: readonly HeldPile[];
  /** The last key of a merchant or a project. */
  readonly endingKeys: readonly EndingKey[];
  readonly endingCallbackKeys: readonly EndingCallbackKey[];
  /** Keys of callbacks that retire soon, and whose successors do not make x-access-signature yet. */
  readonly unpromotedKeys: readonly UnpromotedKey[];
  readonly pauses: readonly Pause[];
  /** Paused by their settings, without a pause that says who did it and why. */
  readonly pausedProjects: readonly PausedProject[];
};

export const SHORTFALL_DAYS = 30;

/** A breaker lets a probe through every five minutes at the latest, so what is due for this long is stuck. */
const CALLBACK_PATIENCE_S = 3_600;

/** The largest batch is made in minutes. */
const BATCH_PATIENCE_S = 3_600;

/** Balances are read every minute, and banks every hour. */
const READING_PATIENCE_S = { balances: 600, banks: 3 * 3_600 } as const;

const KEY_WARNING_DAYS = 7;
const CALLBACK_KEY_WARNING_S = 2 * 86_400;

const MACHINES: readonly Readonly<Partial<Record<PaymentState, Standing>>>[] = [
  STANDINGS.p2pPayin,
  STANDINGS.cardPayin,
  STANDINGS.payout,
];

/** A dispute that does not end by itself. */
function waitsForPerson({ state }: DisputePile): boolean {
  return MACHINES.some((machine) => {
    const standing = machine[state];
    return standing !== undefined && "by" in standing && standing.by === "disputes";
  });
}

type Paused = { readonly pauses: readonly Pause[]; readonly projects: readonly PausedProject[] };

type Readers<Entry extends AttentionEntry> = {
  readonly [E in Entry]: (tx: Transaction, paused: Paused) => Promise<Attention[E]>;
};

type PoolEntry = "faultyRequisites" | "unexplainedDebits" | "waitingPayouts";

/** The entries that the pool reads: its tables are its own. */
export type PoolAttention = { readonly [E in PoolEntry]: (tx: Transaction) => Promise<Attention[E]> };

const READERS: Readers<Exclude<AttentionEntry, PoolEntry>> = {
  restores: listOpenRestores,
  late: countLate,
  lateBatches: (tx) => listLateBatches(tx, BATCH_PATIENCE_S),
  lateCallbacks: (tx) => listLateEndpoints(tx, CALLBACK_PATIENCE_S),
  openBreakers: listOpenBreakers,
  ledgerViolations: listFailedLedgerCheck,
  unknown: countUnknown,
  shortfalls: (tx) => countShortfalls(tx, SHORTFALL_DAYS),
  contradicted: (tx) => countContradicted(tx, SHORTFALL_DAYS),
  disputes: async (tx) => (await countDisputes(tx)).filter(waitsForPerson),
  unsentPayouts: countUnsentPayouts,
  lowProviderBalances: listLowBalances,
  unreadProviders: (tx) => listUnreadProviders(tx, READING_PATIENCE_S),
  waitingForRoom: countWaitingForRoom,
  pausedPayouts: countPausedPayouts,
  unreversedCharges: countUnreversedCharges,
  suspense: countSuspense,
  deadCallbacks: countDeadCallbacks,
  heldCallbacks: countHeldCallbacks,
  endingKeys: (tx) => listEndingKeys(tx, KEY_WARNING_DAYS),
  endingCallbackKeys: (tx) => listEndingCallbackKeys(tx, CALLBACK_KEY_WARNING_S),
  unpromotedKeys: (tx) => listUnpromotedKeys(tx, CALLBACK_KEY_WARNING_S),
  pauses: async (_tx, { pauses, projects }) =>
    pauses.filter(({ kind, name }) => kind !== "project" || projects.some(({ id }) => id === name)),
  pausedProjects: async (_tx, { pauses, projects }) =>
    projects.filter(({ id }) => !pauses.some(({ kind, name }) => kind === "project" && name === id)),
};

/** On a bad day piles are large: an operator would rather wait than be told nothing. */
const READ_TIMEOUT_MS = 60_000;

/** All of it as of one moment. */
export function readAttention(db: Database, pool: PoolAttention): Promise<Attention> {
  const readers: Readers<AttentionEntry> = { ...READERS, ...pool };
  return db.transaction(async ({ run }) => {
    await run({ text: `set local statement_timeout = ${READ_TIMEOUT_MS}` });
    const tx: Transaction = { run: (statement) => run({ timeoutMs: READ_TIMEOUT_MS, ...statement }) };
    const paused = { pauses: await listPauses(tx), projects: await listPausedProjects(tx) };
    const found: Record<string, unknown> = {};
    for (const [entry, read] of Object.entries(readers)) found[entry] = await read(tx, paused);
    return found as Attention;
  }, "snapshot");
}

/** The same as metrics. Nothing to report is zero. */
export type AttentionFigures = {
  readonly unknownCount: number;
  readonly oldestUnknownS: number;
  readonly disputesByState: readonly {
    readonly state: PaymentState;
    readonly count: number;
    readonly oldestS: number;
  }[];
  readonly suspenseByCurrency: readonly {
    readonly book: Book;
    readonly currency: Currency;
    readonly amount: Minor;
  }[];
  readonly overdueCount: number;
  readonly oldestDueS: number;
};

export async function readAttentionFigures(db: Pick<Database, "run">): Promise<AttentionFigures> {
  const unknown = await countUnknown(db);
  const disputes = groupBy(await countDisputes(db), ({ state }) => state);
  const suspense = await countSuspense(db);
  return {
    unknownCount: countOf(unknown),
    oldestUnknownS: oldestOf(unknown),
    disputesByState: [...disputes].map(([state, piles]) => ({
      state,
      count: countOf(piles),
      oldestS: oldestOf(piles),
    })),
    suspenseByCurrency: suspense.map(({ book, currency, sum }) => ({ book, currency, amount: sum })),
    overdueCount: (await countLate(db)).count,
    oldestDueS: await readOldestDueS(db),
  };
}

function countOf(piles: readonly Pile[]): number {
  return piles.reduce((count, pile) => count + pile.count, 0);
}

function oldestOf(piles: readonly Pile[]): number {
  return Math.max(0, ...piles.map(({ oldestS }) => oldestS));
}
