import { ATTENTION_ENTRIES, type AttentionEntry } from "../../core/attention/attention.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Pile } from "../../store/attention/attention.ts";
import type { Attention } from "./read-attention.ts";

/**
 * One thing that `attention` names, without words of people: for metrics and for messages that leave this machine. It has ids and
 * figures only; masks, labels, names and reasons stay behind.
 */
export type Finding = {
  readonly entry: AttentionEntry;
  /** What it is about; the same while it lasts, whatever its figures become. */
  readonly subject: string;
  /** Null: it is about the service, not about one book. */
  readonly book: Book | null;
  readonly count: number;
  readonly oldestS: number | null;
};

export function findingsOf(found: Attention): Finding[] {
  return ATTENTION_ENTRIES.flatMap((entry) => findingsOfEntry(entry, found));
}

function findingsOfEntry<E extends AttentionEntry>(entry: E, found: Attention): Finding[] {
  return FINDINGS[entry](found[entry]).map((finding) => ({ entry, ...finding }));
}

type Found = Omit<Finding, "entry">;

const FINDINGS: { readonly [E in AttentionEntry]: (part: Attention[E]) => Found[] } = {
  restores: (restores) => restores.map(({ id }) => one(`restore ${id}`)),
  late: ({ count, oldestS }) => (count === 0 ? [] : [{ subject: "payments", book: null, count, oldestS }]),
  lateBatches: (batches) =>
    batches.map(({ id, book, waitingCount, sinceS }) => ({
      ...{ subject: `batch ${id}`, book, count: waitingCount, oldestS: sinceS },
    })),
  lateCallbacks: (late) =>
    late.map(({ projectId, book, endpointCount, oldestS }) => ({
      ...{ subject: `project ${projectId}`, book, count: endpointCount, oldestS },
    })),
  openBreakers: (breakers) =>
    breakers.map(({ provider, openCount, oldestS }) => ({
      ...{ subject: `provider ${provider}`, book: null, count: openCount, oldestS },
    })),
  faultyRequisites: (faulty) => faulty.map(({ id }) => one(`requisite ${id}`)),
  ledgerViolations: (checks) =>
    checks.map(({ violationCount, ageS }) => ({
      ...{ subject: "ledger", book: null, count: violationCount, oldestS: ageS },
    })),
  unknown: ofPiles,
  shortfalls: ofPiles,
  contradicted: ofPiles,
  unexplainedDebits: ofPiles,
  disputes: (piles) => piles.map((pile) => ofPile(pile, pile.state)),
  waitingPayouts: ofPiles,
  unsentPayouts: ofPiles,
  lowProviderBalances: (balances) =>
    balances.map(({ provider, book, currency, count }) => ({
      ...{ subject: `provider ${provider} ${currency}`, book, count, oldestS: null },
    })),
  unreadProviders: (unread) =>
    unread.map(({ provider, what, book, ageS }) => ({
      ...{ subject: `provider ${provider} ${what}`, book, count: 1, oldestS: ageS },
    })),
  waitingForRoom: ofPiles,
  pausedPayouts: ofPiles,
  unreversedCharges: (piles) => piles.map((pile) => ofPile(pile, `provider ${pile.provider}`)),
  suspense: ofPiles,
  deadCallbacks: (piles) =>
    piles.map(({ projectId, book, count, oldestS }) => ({ subject: `project ${projectId}`, book, count, oldestS })),
  heldCallbacks: (piles) =>
    piles.map(({ projectId, book, count, oldestS }) => ({ subject: `project ${projectId}`, book, count, oldestS })),
  endingKeys: (keys) => keys.map(({ id, book }) => one(`key ${id}`, book)),
  endingCallbackKeys: (keys) => keys.map(({ kind, projectId }) => one(ofProject(kind, projectId))),
  unpromotedKeys: (keys) => keys.map(({ kind, projectId }) => one(ofProject(kind, projectId))),
  pauses: (pauses) => pauses.map(({ kind, name }) => one(name === "" ? kind : `${kind} ${name}`)),
  pausedProjects: (projects) => projects.map(({ id }) => one(`project ${id}`)),
};

function one(subject: string, book: Book | null = null): Found {
  return { subject, book, count: 1, oldestS: null };
}

function ofPiles(piles: readonly Pile[]): Found[] {
  return piles.map((pile) => ofPile(pile));
}

function ofPile({ book, currency, count, oldestS }: Pile, about?: string): Found {
  return { subject: about === undefined ? currency : `${about} ${currency}`, book, count, oldestS };
}

function ofProject(kind: string, projectId: string | null): string {
  return projectId === null ? `${kind} of the service` : `${kind} of project ${projectId}`;
}

/** `waitingForRoom` is `waiting_for_room` wherever a program reads it. */
export function nameOfEntry(entry: AttentionEntry): string {
  return entry.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
