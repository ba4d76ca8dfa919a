import { takeRecordedReference } from "../../app/ledger/take-reference.ts";
import { ReceiptTaken } from "../../app/payments/payment-writes.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { isContention, isTaken } from "../../store/faults.ts";
import { postingTransaction } from "../../store/ledger/ledger.ts";
import {
  type BankLine,
  type BookedSpan,
  insertBankLines,
  type KnownLine,
  listKnownLines,
  listReversedNames,
  lockLinesOf,
  resolveBookedTimes,
} from "../store/bank-lines.ts";
import { claimLines, LeftMeanwhile } from "./claim-lines.ts";
import { payerPlace, sealText } from "./pool-secrets.ts";
import type { Claim, RecordManner, ReportedLine, TimedLine } from "./reported-lines.ts";

export type Recorded =
  | ({ readonly kind: "recorded" } & Claim)
  /** This very line was recorded before: nothing was changed. */
  | { readonly kind: "known"; readonly line: KnownLine }
  /** The bank's reference names another sum, direction or time: nothing was changed, and an operator must check it. */
  | { readonly kind: "contradicts"; readonly line: KnownLine }
  /** Booked at a time that is still to come: it was misread, and the pay-ins of that time are unknown. */
  | { readonly kind: "ahead" }
  /** An operator gave the reference for another movement of money: nothing was changed. */
  | { readonly kind: "reference_used" };

export type RecordDeps = { readonly db: Database; readonly keyring: Keyring };

/**
 * Takes in what banks report, in one transaction: each line once, the money it brought to the payment that it is for, and
 * what matches no pay-in into suspense. Lines are taken in the order in which they are given.
 */
export async function recordLines(
  deps: RecordDeps,
  lines: readonly ReportedLine[],
  actor: string,
): Promise<Recorded[]> {
  const recorded = await tryRecord(deps, lines, actor, false);
  if (recorded !== undefined) return recorded;
  // One of them meets the bounds of a merchant's balance, and it is unknown which: each alone.
  const results: Recorded[] = [];
  for (const line of lines) {
    const alone = (await tryRecord(deps, [line], actor, false)) ?? (await tryRecord(deps, [line], actor, true)) ?? [];
    results.push(...alone);
  }
  return results;
}

/** The other transaction needs a second; statements are long, and an import should not fail for that. */
const TRIES_MAX = 6;

/** Undefined: a balance has no room for it. Nothing was written then. */
async function tryRecord(
  { db, keyring }: RecordDeps,
  lines: readonly ReportedLine[],
  actor: string,
  noRoom: boolean,
): Promise<Recorded[] | undefined> {
  for (let tried = 1; ; tried += 1) {
    try {
      const manner = { actor, noRoom };
      const posted = await postingTransaction(db, (tx) => recordInTransaction(tx, keyring, lines, manner));
      if (posted.ok) return posted.value;
      break;
    } catch (error) {
      // Two that take balances one after the other, in different orders, can wait for each other in a circle; and of two
      // that report the same line, the second finds it recorded when it looks again.
      const mayPass = isContention(error) || isTaken(error) || error instanceof ReceiptTaken;
      if (!(mayPass || error instanceof LeftMeanwhile) || tried === TRIES_MAX) throw error;
    }
  }
  if (lines.length === 1 && noRoom) throw new Error("a bank line that waits in suspense needs no room");
  return undefined;
}

async function recordInTransaction(
  tx: Transaction,
  keyring: Keyring,
  lines: readonly ReportedLine[],
  manner: RecordManner,
): Promise<Recorded[]> {
  if (lines.length === 0) return [];
  const accountIds = lines.map(({ account }) => account.id);
  await lockLinesOf(tx, accountIds, "shared");
  const spans = await resolveBookedTimes(
    tx,
    lines.map(({ account, booked }) => ({ accountId: account.id, booked })),
  );
  const names = lines.map(({ account, reference }) => ({ accountId: account.id, reference }));
  const known = new Map((await listKnownLines(tx, names)).map((line) => [nameOf(line), line]));
  const reversed = new Set((await listReversedNames(tx, names)).map(nameOf));
  const results: (Recorded | undefined)[] = [];
  const fresh: { readonly place: number; readonly line: TimedLine }[] = [];
  for (const [place, line] of lines.entries()) {
    const span = spans[place];
    if (span === undefined) throw new Error("every line has its time");
    const name = nameOf({ accountId: line.account.id, reference: line.reference });
    const earlier = known.get(name);
    if (earlier === undefined && isAhead(span)) {
      results[place] = { kind: "ahead" };
    } else if (earlier === undefined && !(await takeRecordedReference(tx, line))) {
      results[place] = { kind: "reference_used" };
    } else if (earlier === undefined) {
      known.set(name, asKnown(line, span.day));
      const id = newId();
      const countedAs = reversed.has(name) ? id : line.reference;
      fresh.push({ place, line: { ...line, id, span, countedAs } });
    } else {
      results[place] = { kind: isSame(earlier, line, span.day) ? "known" : "contradicts", line: earlier };
    }
  }
  const claims = await claimLines(
    tx,
    fresh.map(({ line }) => line),
    manner,
  );
  const rows = fresh.map(({ line }, index) => rowOf(keyring, line, at(claims, index), manner.actor));
  if (rows.length > 0) await insertBankLines(tx, rows);
  for (const [index, { place }] of fresh.entries()) results[place] = { kind: "recorded", ...at(claims, index) };
  return lines.map((_, place) => at(results, place));
}

function rowOf(keyring: Keyring, line: TimedLine, claim: Claim, actor: string): BankLine {
  const { account, id, reference, direction, currency, amount, span, payer } = line;
  return {
    ...{ id, reference, direction, currency, amount, actor },
    accountId: account.id,
    bookedFrom: span.from,
    bookedTo: span.to,
    bookedDay: span.day,
    payer: payer === undefined ? null : sealText(keyring, payerPlace(account.id, reference), payer),
    outcome: claim.outcome,
    projectId: claim.projectId,
    requestId: claim.requestId,
    countedAs: line.countedAs === reference ? null : line.countedAs,
  };
}

function asKnown(line: ReportedLine, bookedDay: string): KnownLine {
  const { account, reference, direction, currency, amount } = line;
  return {
    ...{ reference, direction, currency, amount, bookedDay },
    accountId: account.id,
    outcome: "unclaimed",
    projectId: null,
    requestId: null,
  };
}

/** A bank, or the operator who recorded it, may be a day off; further apart, the reference was given to another line. */
const DAYS_OFF_MAX = 1;
const DAY_MS = 86_400_000;
/** What comes on a weekend or before a holiday, some banks book on the next working day. */
const DAYS_AHEAD_MAX_MS = 7 * DAY_MS;
/** Clocks differ by minutes. By hours, the account's time zone is not that of its bank. */
const CLOCKS_APART_MS = 900_000;
/** A day when clocks are set forward is shorter. */
const WHOLE_DAY_MIN_MS = 20 * 3_600_000;

function isAhead({ from, to, receivedAt }: BookedSpan): boolean {
  const isWholeDay = to.getTime() - from.getTime() > WHOLE_DAY_MIN_MS;
  return from.getTime() > receivedAt.getTime() + (isWholeDay ? DAYS_AHEAD_MAX_MS : CLOCKS_APART_MS);
}

function isSame(known: KnownLine, { direction, currency, amount }: ReportedLine, bookedDay: string): boolean {
  const daysOff = Math.abs(Date.parse(known.bookedDay) - Date.parse(bookedDay)) / DAY_MS;
  return (
    known.direction === direction && known.currency === currency && known.amount === amount && daysOff <= DAYS_OFF_MAX
  );
}

function nameOf({ accountId, reference }: { readonly accountId: Id; readonly reference: string }): string {
  return `${accountId} ${reference}`;
}

function at<T>(list: readonly (T | undefined)[], place: number): T {
  const found = list[place];
  if (found === undefined) throw new Error("every line has its result");
  return found;
}
