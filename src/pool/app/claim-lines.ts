import { getHouseProject } from "../../app/ledger/house-project.ts";
import { applyToChoice } from "../../app/page/apply-to-choice.ts";
import {
  applyInTransaction,
  applyToLocked,
  keyOfPayment,
  type LockedByKey,
  lockedByKey,
} from "../../app/payments/apply-payments.ts";
import type { PaymentEvent } from "../../app/payments/payment-event.ts";
import type { Id } from "../../core/ids.ts";
import { journalUnexplained } from "../../core/ledger/journal.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { clearingOf, clearingOfAccount, POOL_PROVIDER, wayOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { type Match, matchLine } from "../core/match-line.ts";
import { type LendingHolder, listHolders } from "../store/lendings.ts";
import { insertUnclaimedPayins } from "../store/unclaimed-payins.ts";
import { type DebitClaimant, findDebitClaimants, noteDebitPaid } from "./match-debits.ts";
import type { Claim, RecordManner, TimedLine } from "./reported-lines.ts";

/** Between the question whose an account is and the lock of the payment, its payer left the requisite: all of it is asked again. */
export class LeftMeanwhile extends Error {}

/**
 * Says of each line whose it is, and moves the money so. All payments that could be meant are locked first, in the
 * order of their keys; then the lines are gone through in their own order, each seeing what the ones before it did.
 */
export async function claimLines(tx: Transaction, lines: readonly TimedLine[], manner: RecordManner): Promise<Claim[]> {
  if (lines.length === 0) return [];
  const bookings = lines.filter(({ isReversal }) => isReversal !== true);
  const holders = await holdersOf(tx, bookings);
  const claimants = await findDebitClaimants(tx, bookings);
  const shown = [...holders.values()].flat();
  const keys = uniqueKeys([...shown, ...claimants.values()]);
  const locked = lockedByKey(keys.length === 0 ? [] : await lockPayments(tx, keys));
  if (shown.some((holder) => isLeftSince(holder, locked))) throw new LeftMeanwhile();
  const run = openRun(tx, manner, locked);
  for (const line of lines) {
    if (line.direction === "credit") await run.credit(line, holders.get(line) ?? []);
    else await run.debit(line, claimants.get(line));
  }
  return run.end(lines);
}

async function holdersOf(
  tx: Transaction,
  lines: readonly TimedLine[],
): Promise<ReadonlyMap<TimedLine, LendingHolder[]>> {
  const credits = lines.filter(({ direction }) => direction === "credit");
  const questions = credits.map(({ account, currency, amount, span }) => ({
    ...{ currency, amount },
    accountId: account.id,
    bookedFrom: span.from,
    bookedTo: span.to,
  }));
  const holders = new Map<TimedLine, LendingHolder[]>(credits.map((credit) => [credit, []]));
  for (const holder of credits.length === 0 ? [] : await listHolders(tx, questions)) {
    const credit = credits[holder.place - 1];
    if (credit !== undefined) holders.get(credit)?.push(holder);
  }
  // Where several could be meant none is: their payments need not be locked, which others may be waiting for.
  for (const [credit, several] of holders) if (several.length > 1) holders.set(credit, []);
  return holders;
}

function isLeftSince({ isShown, leftChoice, reference, ...key }: LendingHolder, locked: LockedByKey): boolean {
  return isShown && leftChoice === null && locked.get(keyOfPayment(key))?.reference !== reference;
}

type Pending = { readonly line: TimedLine; readonly event: PaymentEvent; readonly claim: Claim };

function openRun(tx: Transaction, manner: RecordManner, locked: LockedByKey) {
  const states = new Map([...locked.values()].map(({ requestId, state }) => [requestId, state]));
  const claims = new Map<TimedLine, Claim>();
  let pending: Pending[] = [];
  const unclaimed: TimedLine[] = [];
  const unexplained: TimedLine[] = [];

  /** What has been decided so far takes effect, so that the next decision sees it. */
  async function flush(): Promise<void> {
    const batchs = pending;
    pending = [];
    const results = await applyToLocked(
      tx,
      batchs.map(({ event }) => event),
      locked,
    );
    for (const [index, { line, claim }] of batchs.entries()) {
      const applied = results[index];
      if (applied?.ok) {
        states.set(applied.value.requestId, applied.value.state);
        claims.set(line, claim);
      } else if (line.direction === "credit") unclaimed.push(line);
      // It is written down by now that the payout left: all of it stands, or nothing.
      else throw new Error(`a payout that can have left was not taken: ${applied?.error}`);
    }
  }

  async function stateOf(requestId: Id): Promise<PaymentState | undefined> {
    if (pending.some(({ claim }) => claim.requestId === requestId)) await flush();
    return states.get(requestId);
  }

  async function credit(line: TimedLine, holders: readonly LendingHolder[]): Promise<void> {
    const match = await matchNow(holders, stateOf);
    if (match.kind === "unclaimed") {
      unclaimed.push(line);
      return;
    }
    const { projectId, requestId, leftChoice } = match.holder;
    const event = receivedEvent(line, { projectId, requestId }, manner);
    const claim: Claim = { outcome: match.kind, projectId, requestId };
    if (leftChoice === null) pending.push({ line, event, claim });
    else if (await takeLeft(tx, locked, leftChoice, event)) claims.set(line, claim);
    else unclaimed.push(line);
  }

  async function debit(line: TimedLine, claimant: DebitClaimant | undefined): Promise<void> {
    // Of two debits that could be the same payout, the second is another one.
    const isTaken = pending.some(({ claim }) => claim.requestId === claimant?.requestId);
    const isFree = claimant !== undefined && !isTaken;
    const paid = isFree ? await noteDebitPaid(tx, claimant, line, manner.actor) : undefined;
    if (claimant === undefined || paid === undefined) {
      unexplained.push(line);
      return;
    }
    const { projectId, requestId } = claimant;
    const event = approvedEvent(line, { projectId, requestId }, { actor: manner.actor, isPresent: paid.isPresent });
    pending.push({ line, event, claim: { outcome: "payout", projectId, requestId } });
  }

  async function end(lines: readonly TimedLine[]): Promise<Claim[]> {
    await flush();
    const house = new Map<Book, Id>();
    for (const { account } of [...unclaimed, ...unexplained]) {
      if (!house.has(account.book)) house.set(account.book, await getHouseProject(tx, account.book));
    }
    const houseOf = ({ account }: TimedLine) => house.get(account.book) as Id;
    await postUnclaimed(tx, unclaimed, { manner, houseOf, claims });
    await postUnexplained(tx, unexplained, houseOf);
    for (const line of unexplained) claims.set(line, { outcome: "unexplained", projectId: null, requestId: null });
    return lines.map((line) => {
      const claim = claims.get(line);
      if (claim === undefined) throw new Error("every line has a claim");
      return claim;
    });
  }

  return { credit, debit, end };
}

/** A lending that its payer has left is over, whatever the payment is by now. */
async function matchNow(
  holders: readonly LendingHolder[],
  stateOf: (requestId: Id) => Promise<PaymentState | undefined>,
): Promise<Match<LendingHolder>> {
  const current: LendingHolder[] = [];
  for (const holder of holders) {
    const state = holder.leftChoice === null ? await stateOf(holder.requestId) : undefined;
    current.push({ ...holder, state: state ?? holder.state });
  }
  return matchLine(
    current.filter(({ isSameSum }) => isSameSum),
    current.filter(({ isSameSum }) => !isSameSum),
  );
}

/** The payer was shown the account, and then chose another way to pay: the money stands in suspense under the payment. */
async function takeLeft(
  tx: Transaction,
  locked: LockedByKey,
  leftChoice: number,
  event: PaymentEvent,
): Promise<boolean> {
  const payment = locked.get(keyOfPayment(event));
  return payment !== undefined && (await applyToChoice(tx, payment, leftChoice, event)).ok;
}

function receivedEvent(line: TimedLine, key: PaymentKey, { actor, noRoom }: RecordManner): PaymentEvent {
  const { account, amount, reference, countedAs, span } = line;
  const way = wayOf(POOL_PROVIDER, account.code);
  return {
    ...key,
    actor,
    detail: `bank reference ${reference}`,
    payin: { kind: "received", amount, clearing: clearingOf(way), ...(noRoom ? { noRoom } : {}) },
    receivedFrom: { provider: way, receiptReference: countedAs, amount, receivedAt: span.receivedAt },
  };
}

function approvedEvent(
  { account, reference }: TimedLine,
  key: PaymentKey,
  { actor, isPresent }: { readonly actor: string; readonly isPresent: boolean },
): PaymentEvent {
  return {
    ...key,
    actor,
    detail: `bank reference ${reference}`,
    payout: { kind: "approved", clearing: clearingOfAccount(account.code) },
    ...(isPresent ? { attemptEnd: { outcome: "taken", detail: "approved" } } : {}),
  };
}

type UnclaimedWays = {
  readonly manner: RecordManner;
  readonly houseOf: (line: TimedLine) => Id;
  readonly claims: Map<TimedLine, Claim>;
};

/** Money that matches no pay-in: see `insertUnclaimedPayins`. */
async function postUnclaimed(
  tx: Transaction,
  lines: readonly TimedLine[],
  { manner, houseOf, claims }: UnclaimedWays,
): Promise<void> {
  if (lines.length === 0) return;
  const payins = lines.map((line) => ({
    projectId: houseOf(line),
    requestId: newId(),
    paymentId: paymentIdOf(line),
    currency: line.currency,
    amount: line.amount,
    actor: manner.actor,
  }));
  await insertUnclaimedPayins(tx, payins);
  const events = payins.map(({ projectId, requestId }, index) =>
    receivedEvent(lines[index] as TimedLine, { projectId, requestId }, manner),
  );
  const results = await applyInTransaction(tx, events);
  for (const [index, { projectId, requestId }] of payins.entries()) {
    if (results[index]?.ok !== true) throw new Error("a payment that has ended takes money into suspense");
    claims.set(lines[index] as TimedLine, { outcome: "unclaimed", projectId, requestId });
  }
}

const PAYMENT_ID_MAX = 255;

function paymentIdOf({ account, countedAs, id }: TimedLine): string {
  const name = `${account.code}:${countedAs}`;
  return [...name].length <= PAYMENT_ID_MAX ? name : `${account.code}:${id}`;
}

async function postUnexplained(
  tx: Transaction,
  lines: readonly TimedLine[],
  houseOf: (line: TimedLine) => Id,
): Promise<void> {
  if (lines.length === 0) return;
  const posted = lines.map((line) => {
    const subject = { projectId: houseOf(line), subjectId: line.id, currency: line.currency };
    const clearing = clearingOfAccount(line.account.code);
    return journalUnexplained(subject, newId(), line.amount, clearing);
  });
  await postTransfers(tx, posted);
}

function uniqueKeys(keys: readonly PaymentKey[]): PaymentKey[] {
  return [...new Map(keys.map((key) => [key.requestId, key])).values()];
}
