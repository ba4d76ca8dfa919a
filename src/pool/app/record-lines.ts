import { vouchForTransfer } from "../../app/ledger/take-reference.ts";
import { ReceiptTaken } from "../../app/payments/payment-writes.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { isContention, isTaken } from "../../store/faults.ts";
import { postingTransaction } from "../../store/ledger/ledger.ts";
import {
  type BankTransfer,
  type BookedSpan,
  insertBankTransfers,
  type KnownTransfer,
  listKnownTransfers,
  listReversedNames,
  lockTransfersOf,
  resolveBookedTimes,
} from "../store/bank-lines.ts";
import { claimTransfers } from "./claim-lines.ts";
import { payerPlace, sealText } from "./pool-secrets.ts";
import type { Claim, RecordManner, ReportedTransfer, TimedTransfer } from "./reported-lines.ts";

export type Recorded =
  | ({ readonly kind: "recorded" } & Claim)
  /** This very line was recorded before: nothing was changed. */
  | { readonly kind: "known"; readonly transfer: KnownTransfer }
  /** The bank's reference names another sum, direction or time: nothing was changed, and an operator must check it. */
  | { readonly kind: "contradicts"; readonly transfer: KnownTransfer }
  /** Booked at a time that is still to come: it was misread, and the pay-ins of that time are unknown. */
  | { readonly kind: "ahead" }
  /** An operator gave the reference for another movement of money: nothing was changed. */
  | { readonly kind: "vouched" };

export type RecordDeps = { readonly db: Database; readonly keyring: Keyring };

/**
 * Takes in what banks report, in one transaction: each line once, the money it brought to the payment that it is for, and
 * what matches no pay-in into suspense. Lines are taken in the order in which they are given.
 */
export async function recordTransfers(
  deps: RecordDeps,
  transfers: readonly ReportedTransfer[],
  actor: string,
): Promise<Recorded[]> {
  const recorded = await tryRecord(deps, transfers, actor, false);
  if (recorded !== undefined) return recorded;
  // One of them meets the bounds of a merchant's balance, and it is unknown which: each alone.
  const results: Recorded[] = [];
  for (const transfer of transfers) {
    const alone =
      (await tryRecord(deps, [transfer], actor, false)) ?? (await tryRecord(deps, [transfer], actor, true)) ?? [];
    results.push(...alone);
  }
  return results;
}

/** The other transaction needs a second; statements are long, and an import should not fail for that. */
const TRIES_MAX = 6;

/** Undefined: a balance has no room for it. Nothing was written then. */
async function tryRecord(
  { db, keyring }: RecordDeps,
  transfers: readonly ReportedTransfer[],
  actor: string,
  noRoom: boolean,
): Promise<Recorded[] | undefined> {
  for (let tried = 1; ; tried += 1) {
    try {
      const manner = { actor, noRoom };
      const posted = await postingTransaction(db, (tx) => recordInTransaction(tx, keyring, transfers, manner));
      if (posted.ok) return posted.value;
      break;
    } catch (error) {
      // Two that take balances one after the other, in different orders, can wait for each other in a circle; and of two
      // that report the same transfer, the second finds it recorded when it looks again.
      const mayPass = isContention(error) || isTaken(error) || error instanceof ReceiptTaken;
      if (!mayPass || tried === TRIES_MAX) throw error;
    }
  }
  if (transfers.length === 1 && noRoom) throw new Error("a transfer that waits in suspense needs no room");
  return undefined;
}

async function recordInTransaction(
  tx: Transaction,
  keyring: Keyring,
  transfers: readonly ReportedTransfer[],
  manner: RecordManner,
): Promise<Recorded[]> {
  if (transfers.length === 0) return [];
  const accountIds = transfers.map(({ account }) => account.id);
  await lockTransfersOf(tx, accountIds, "shared");
  const spans = await resolveBookedTimes(
    tx,
    transfers.map(({ account, booked }) => ({ accountId: account.id, booked })),
  );
  const names = transfers.map(({ account, reference }) => ({ accountId: account.id, reference }));
  const known = new Map((await listKnownTransfers(tx, names)).map((transfer) => [nameOf(transfer), transfer]));
  const reversed = new Set((await listReversedNames(tx, names)).map(nameOf));
  const results: (Recorded | undefined)[] = [];
  const fresh: { readonly place: number; readonly transfer: TimedTransfer }[] = [];
  for (const [place, transfer] of transfers.entries()) {
    const span = spans[place];
    if (span === undefined) throw new Error("every transfer has its time");
    const name = nameOf({ accountId: transfer.account.id, reference: transfer.reference });
    const earlier = known.get(name);
    if (earlier === undefined && isAhead(span)) {
      results[place] = { kind: "ahead" };
    } else if (earlier === undefined && !(await vouchForTransfer(tx, transfer))) {
      results[place] = { kind: "vouched" };
    } else if (earlier === undefined) {
      known.set(name, asKnown(transfer, span.day));
      const id = newId();
      const countedAs = reversed.has(name) ? id : transfer.reference;
      fresh.push({ place, transfer: { ...transfer, id, span, countedAs } });
    } else {
      results[place] = { kind: isSame(earlier, transfer, span.day) ? "known" : "contradicts", transfer: earlier };
    }
  }
  const claims = await claimTransfers(
    tx,
    fresh.map(({ transfer }) => transfer),
    manner,
  );
  const rows = fresh.map(({ transfer }, index) => rowOf(keyring, transfer, at(claims, index), manner.actor));
  if (rows.length > 0) await insertBankTransfers(tx, rows);
  for (const [index, { place }] of fresh.entries()) results[place] = { kind: "recorded", ...at(claims, index) };
  return transfers.map((_, place) => at(results, place));
}

function rowOf(keyring: Keyring, transfer: TimedTransfer, claim: Claim, actor: string): BankTransfer {
  const { account, id, reference, direction, currency, amount, span, payer } = transfer;
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
    countedAs: transfer.countedAs === reference ? null : transfer.countedAs,
  };
}

function asKnown(transfer: ReportedTransfer, bookedDay: string): KnownTransfer {
  const { account, reference, direction, currency, amount } = transfer;
  return {
    ...{ reference, direction, currency, amount, bookedDay },
    accountId: account.id,
    outcome: "unclaimed",
    projectId: null,
    requestId: null,
  };
}

/** A bank, or the operator who recorded it, may be a day off; further apart, the reference was given to another transfer. */
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

function isSame(known: KnownTransfer, { direction, currency, amount }: ReportedTransfer, bookedDay: string): boolean {
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
  if (found === undefined) throw new Error("every transfer has its result");
  return found;
}
