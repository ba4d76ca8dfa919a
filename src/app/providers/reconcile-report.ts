import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import {
  compareEntry,
  type DifferenceKind,
  type EntryStatus,
  type OurEntry,
  type TheirEntry,
} from "../../core/provider-books/compare-entry.ts";
import type { RegisterLine } from "../../core/provider-books/register-file.ts";
import { type CurrencyTotals, openTotals } from "../../core/provider-books/totals.ts";
import type { EntryPeriod } from "../../store/providers/our-entries.ts";

export type EntryView = {
  readonly status: EntryStatus;
  readonly amount: Minor;
  readonly currency: Currency;
  readonly fee: Minor | null;
};

export type EntryDifference = {
  readonly kind: DifferenceKind;
  readonly reference: string;
  /** Of the register; null where there is none. */
  readonly line: number | null;
  readonly theirs: (EntryView & { readonly word: string }) | null;
  readonly ours: EntryView | null;
};

export type ProviderReconciliation = {
  readonly period: EntryPeriod;
  /** How many of ours were compared, and how many lines the register has. */
  readonly attempts: number;
  readonly lines: number;
  /** In the register, and ours of another time. They are compared as well. */
  readonly otherTime: number;
  readonly refusedCount: number;
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
  readonly counts: ReadonlyMap<DifferenceKind, number>;
  /** The first so many. */
  readonly differences: readonly EntryDifference[];
  /** The provider did not answer the question: nothing is known of these. */
  readonly unansweredCount: number;
  readonly unanswered: readonly string[];
  readonly totals: readonly CurrencyTotals[];
  /** The register could not be read to its end: then nothing was compared. */
  readonly fault: string | undefined;
};

/** However many differ, so many are listed: the counts say the rest. */
const LISTED_MAX = 1_000;

export type Report = ReturnType<typeof openReport>;

/** Gathers what a comparison finds, within bounded memory. */
export function openReport(period: EntryPeriod) {
  const totals = openTotals();
  const counts = new Map<DifferenceKind, number>();
  const differences: EntryDifference[] = [];
  const refused: { line: number; reason: string }[] = [];
  const unanswered: string[] = [];
  const counted = { attempts: 0, lines: 0, otherTime: 0, refusedCount: 0, unansweredCount: 0 };
  let fault: string | undefined;
  const list = <T>(items: T[], item: T) => {
    if (items.length < LISTED_MAX) items.push(item);
  };
  const differ = (kind: DifferenceKind, ours: OurEntry | undefined, theirs: (TheirEntry & Placed) | undefined) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const reference = ours?.reference ?? theirs?.reference ?? "";
    list(differences, { kind, reference, line: theirs?.line ?? null, theirs: theirView(theirs), ours: ourView(ours) });
  };
  return {
    counted,
    fail: (sentence: string) => {
      fault = sentence;
    },
    refuse: (line: { line: number; reason: string }) => {
      counted.refusedCount += 1;
      list(refused, line);
    },
    differ,
    unanswered: (reference: string) => {
      counted.unansweredCount += 1;
      list(unanswered, reference);
    },
    /** Undefined: their books do not have it. */
    compare: (ours: OurEntry, theirs: (TheirEntry & Placed) | undefined) => {
      counted.attempts += 1;
      totals.addOurs(ours);
      if (theirs !== undefined) {
        totals.addTheirs(theirs, ours.direction);
        for (const kind of compareEntry(ours, theirs)) differ(kind, ours, theirs);
      } else if (!ours.mayBeAbsent) differ("missing_there", ours, undefined);
    },
    missingHere: (theirs: RegisterLine) => {
      totals.addTheirs(theirs, theirs.direction);
      differ("missing_here", undefined, theirs);
    },
    read: (): ProviderReconciliation => ({
      ...{ period, ...counted, refused, counts, differences, unanswered, fault },
      totals: fault === undefined ? totals.read() : [],
    }),
  };
}

/** Where their entry stands, if it stands anywhere. */
type Placed = { readonly line?: number; readonly reference?: string };

function theirView(theirs: TheirEntry | undefined): EntryDifference["theirs"] {
  if (theirs === undefined) return null;
  const { status, word, amount, currency, fee = null } = theirs;
  return { status, word, amount, currency, fee };
}

function ourView(ours: OurEntry | undefined): EntryView | null {
  return ours === undefined ? null : viewOf(ours);
}

function viewOf({ status, amount, currency, fee }: EntryView): EntryView {
  return { status, amount, currency, fee };
}
