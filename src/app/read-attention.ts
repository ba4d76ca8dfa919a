import type { Book } from "../core/book.ts";
import type { Currency } from "../core/currency.ts";
import { groupBy } from "../core/group-by.ts";
import type { Minor } from "../core/money.ts";
import type { PaymentState } from "../core/payment/states.ts";
import { listUnpromotedKeys, type UnpromotedKey } from "../store/callback-keys.ts";
import type { Database } from "../store/db.ts";
import { listPauses, type Pause } from "../store/pauses.ts";
import {
  countDisputes,
  countLate,
  countPausedPayouts,
  countShortfalls,
  countSuspense,
  countUnknown,
  countWaitingForRoom,
  type DisputePile,
  listPausedProjects,
  type PausedProject,
  type Pile,
  readOldestDueS,
} from "../store/read/attention.ts";
import { countUnexplainedDebits, countWaitingPayouts } from "../store/read/hand-payouts.ts";
import { type FaultyRequisite, listFaultyRequisites } from "../store/read/pool-accounts.ts";

/** What a person should look at. */
export type Attention = {
  /** Due for more than a minute, and nobody looked. */
  readonly late: { readonly count: number; readonly oldestS: number };
  /** Switched off because they could not be opened: somebody may have tampered with them. */
  readonly faultyRequisites: readonly FaultyRequisite[];
  readonly unknown: readonly Pile[];
  readonly shortfalls: readonly Pile[];
  readonly disputes: readonly DisputePile[];
  readonly waitingForRoom: readonly Pile[];
  readonly pausedPayouts: readonly Pile[];
  /** By hand, for more than an hour. */
  readonly waitingPayouts: readonly Pile[];
  /** Money that left an account of ours, and nobody can say what for. */
  readonly unexplainedDebits: readonly Pile[];
  readonly suspense: readonly Pile[];
  /** Keys of callbacks that retire soon, and whose successors do not make x-access-signature yet. */
  readonly unpromotedKeys: readonly UnpromotedKey[];
  readonly pauses: readonly Pause[];
  /** Paused by their settings, without a pause that says who did it and why. */
  readonly pausedProjects: readonly PausedProject[];
};

export const SHORTFALL_DAYS = 30;

/** Whoever pays by hand is given this long before others hear of it. */
const HAND_PAYOUT_PATIENCE_S = 3_600;

/** Long enough to ask a merchant whether they have the new key. */
const KEY_NOTICE_S = 2 * 86_400;

/** A dispute that ends by itself: late money settles it, and after the grace period it is declined. */
const ENDS_BY_ITSELF: PaymentState = "dispute:no_payment";

export function readAttention(db: Database): Promise<Attention> {
  return db.transaction(async (tx) => {
    const pauses = await listPauses(tx);
    const paused = await listPausedProjects(tx);
    const isPausedProject = (name: string) => paused.some(({ id }) => id === name);
    const explained = new Set(pauses.filter(({ kind }) => kind === "project").map(({ name }) => name));
    return {
      late: await countLate(tx),
      faultyRequisites: await listFaultyRequisites(tx),
      unknown: await countUnknown(tx),
      shortfalls: await countShortfalls(tx, SHORTFALL_DAYS),
      disputes: (await countDisputes(tx)).filter(({ state }) => state !== ENDS_BY_ITSELF),
      waitingForRoom: await countWaitingForRoom(tx),
      pausedPayouts: await countPausedPayouts(tx),
      waitingPayouts: await countWaitingPayouts(tx, HAND_PAYOUT_PATIENCE_S),
      unexplainedDebits: await countUnexplainedDebits(tx),
      suspense: await countSuspense(tx),
      unpromotedKeys: await listUnpromotedKeys(tx, KEY_NOTICE_S),
      pauses: pauses.filter(({ kind, name }) => kind !== "project" || isPausedProject(name)),
      pausedProjects: paused.filter(({ id }) => !explained.has(id)),
    };
  }, "snapshot");
}

/** The same as figures, for whoever watches them. Nothing to report is zero. */
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
