import { applyInTransaction, applyToLocked, lockedByKey } from "../../app/payments/apply-payments.ts";
import type { PaymentOrder } from "../../app/payments/payment-event.ts";
import type { Id } from "../../core/ids.ts";
import { journalUnexplained } from "../../core/ledger/journal.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import { clearingOf, clearingOfAccount, POOL_PROVIDER, wayOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { type Match, matchTransfer } from "../core/match-line.ts";
import { type LendingHolder, listHolders } from "../store/lendings.ts";
import { insertUnclaimedPayins } from "../store/unclaimed-payins.ts";
import { getHouseProject } from "./house-project.ts";
import { type DebitClaimant, findDebitClaimants, noteDebitPaid } from "./match-debits.ts";
import type { Claim, RecordManner, TimedTransfer } from "./reported-lines.ts";

/**
 * Says of each transfer whose it is, and moves the money so. All payments that could be meant are locked first, in the
 * order of their keys; then the transfers are gone through in their own order, each seeing what the ones before it did.
 */
export async function claimTransfers(
  tx: Transaction,
  transfers: readonly TimedTransfer[],
  manner: RecordManner,
): Promise<Claim[]> {
  if (transfers.length === 0) return [];
  const bookings = transfers.filter(({ isReversal }) => isReversal !== true);
  const holders = await holdersOf(tx, bookings);
  const claimants = await findDebitClaimants(tx, bookings);
  const run = await openRun(tx, manner, [...[...holders.values()].flat(), ...claimants.values()]);
  for (const transfer of transfers) {
    if (transfer.direction === "credit") await run.credit(transfer, holders.get(transfer) ?? []);
    else await run.debit(transfer, claimants.get(transfer));
  }
  return run.end(transfers);
}

async function holdersOf(
  tx: Transaction,
  transfers: readonly TimedTransfer[],
): Promise<ReadonlyMap<TimedTransfer, LendingHolder[]>> {
  const credits = transfers.filter(({ direction }) => direction === "credit");
  const questions = credits.map(({ account, currency, amount, span }) => ({
    ...{ currency, amount },
    accountId: account.id,
    bookedFrom: span.from,
    bookedTo: span.to,
  }));
  const holders = new Map<TimedTransfer, LendingHolder[]>(credits.map((credit) => [credit, []]));
  for (const holder of credits.length === 0 ? [] : await listHolders(tx, questions)) {
    const credit = credits[holder.place - 1];
    if (credit !== undefined) holders.get(credit)?.push(holder);
  }
  // Where several could be meant none is: their payments need not be locked, which others may be waiting for.
  for (const [credit, several] of holders) if (several.length > 1) holders.set(credit, []);
  return holders;
}

type Pending = { readonly transfer: TimedTransfer; readonly order: PaymentOrder; readonly claim: Claim };

async function openRun(tx: Transaction, manner: RecordManner, keys: readonly PaymentKey[]) {
  const locked = lockedByKey(keys.length === 0 ? [] : await lockPayments(tx, uniqueKeys(keys)));
  const states = new Map([...locked.values()].map(({ requestId, state }) => [requestId, state]));
  const claims = new Map<TimedTransfer, Claim>();
  let pending: Pending[] = [];
  const unclaimed: TimedTransfer[] = [];
  const unexplained: TimedTransfer[] = [];

  /** What has been decided so far takes effect, so that the next decision sees it. */
  async function flush(): Promise<void> {
    const orders = pending;
    pending = [];
    const results = await applyToLocked(
      tx,
      orders.map(({ order }) => order),
      locked,
    );
    for (const [index, { transfer, claim }] of orders.entries()) {
      const applied = results[index];
      if (applied?.ok) {
        states.set(applied.value.requestId, applied.value.state);
        claims.set(transfer, claim);
      } else if (transfer.direction === "credit") unclaimed.push(transfer);
      // It is written down by now that the payout left: all of it stands, or nothing.
      else throw new Error(`a payout that can have left was not taken: ${applied?.error}`);
    }
  }

  async function stateOf(requestId: Id): Promise<PaymentState | undefined> {
    if (pending.some(({ claim }) => claim.requestId === requestId)) await flush();
    return states.get(requestId);
  }

  async function credit(transfer: TimedTransfer, holders: readonly LendingHolder[]): Promise<void> {
    const current: LendingHolder[] = [];
    for (const holder of holders) current.push({ ...holder, state: (await stateOf(holder.requestId)) ?? holder.state });
    const match: Match<LendingHolder> = matchTransfer(
      current.filter(({ isSameSum }) => isSameSum),
      current.filter(({ isSameSum }) => !isSameSum),
    );
    if (match.kind === "unclaimed") {
      unclaimed.push(transfer);
      return;
    }
    const { projectId, requestId } = match.holder;
    const order = receivedOrder(transfer, { projectId, requestId }, manner);
    pending.push({ transfer, order, claim: { outcome: match.kind, projectId, requestId } });
  }

  async function debit(transfer: TimedTransfer, claimant: DebitClaimant | undefined): Promise<void> {
    // Of two debits that could be the same payout, the second is another one.
    const isTaken = pending.some(({ claim }) => claim.requestId === claimant?.requestId);
    const isFree = claimant !== undefined && !isTaken;
    const paid = isFree ? await noteDebitPaid(tx, claimant, transfer, manner.actor) : undefined;
    if (claimant === undefined || paid === undefined) {
      unexplained.push(transfer);
      return;
    }
    const { projectId, requestId } = claimant;
    const order = approvedOrder(transfer, { projectId, requestId }, { actor: manner.actor, isPresent: paid.isPresent });
    pending.push({ transfer, order, claim: { outcome: "payout", projectId, requestId } });
  }

  async function end(transfers: readonly TimedTransfer[]): Promise<Claim[]> {
    await flush();
    const house = new Map<Book, Id>();
    for (const { account } of [...unclaimed, ...unexplained]) {
      if (!house.has(account.book)) house.set(account.book, await getHouseProject(tx, account.book));
    }
    const houseOf = ({ account }: TimedTransfer) => house.get(account.book) as Id;
    await postUnclaimed(tx, unclaimed, { manner, houseOf, claims });
    await postUnexplained(tx, unexplained, houseOf);
    for (const transfer of unexplained)
      claims.set(transfer, { outcome: "unexplained", projectId: null, requestId: null });
    return transfers.map((transfer) => {
      const claim = claims.get(transfer);
      if (claim === undefined) throw new Error("every transfer has a claim");
      return claim;
    });
  }

  return { credit, debit, end };
}

function receivedOrder(transfer: TimedTransfer, key: PaymentKey, { actor, noRoom }: RecordManner): PaymentOrder {
  const { account, amount, reference, countedAs, span } = transfer;
  const way = wayOf(POOL_PROVIDER, account.code);
  return {
    ...key,
    actor,
    detail: `bank reference ${reference}`,
    payin: { kind: "received", amount, clearing: clearingOf(way), ...(noRoom ? { noRoom } : {}) },
    receivedFrom: { provider: way, transferReference: countedAs, amount, receivedAt: span.receivedAt },
  };
}

function approvedOrder(
  { account, reference }: TimedTransfer,
  key: PaymentKey,
  { actor, isPresent }: { readonly actor: string; readonly isPresent: boolean },
): PaymentOrder {
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
  readonly houseOf: (transfer: TimedTransfer) => Id;
  readonly claims: Map<TimedTransfer, Claim>;
};

/** Money that matches no pay-in: see `insertUnclaimedPayins`. */
async function postUnclaimed(
  tx: Transaction,
  transfers: readonly TimedTransfer[],
  { manner, houseOf, claims }: UnclaimedWays,
): Promise<void> {
  if (transfers.length === 0) return;
  const payins = transfers.map((transfer) => ({
    projectId: houseOf(transfer),
    requestId: newId(),
    paymentId: paymentIdOf(transfer),
    currency: transfer.currency,
    amount: transfer.amount,
    actor: manner.actor,
  }));
  await insertUnclaimedPayins(tx, payins);
  const orders = payins.map(({ projectId, requestId }, index) =>
    receivedOrder(transfers[index] as TimedTransfer, { projectId, requestId }, manner),
  );
  const results = await applyInTransaction(tx, orders);
  for (const [index, { projectId, requestId }] of payins.entries()) {
    if (results[index]?.ok !== true) throw new Error("a payment that has ended takes money into suspense");
    claims.set(transfers[index] as TimedTransfer, { outcome: "unclaimed", projectId, requestId });
  }
}

const PAYMENT_ID_MAX = 255;

function paymentIdOf({ account, countedAs, id }: TimedTransfer): string {
  const name = `${account.code}:${countedAs}`;
  return [...name].length <= PAYMENT_ID_MAX ? name : `${account.code}:${id}`;
}

async function postUnexplained(
  tx: Transaction,
  transfers: readonly TimedTransfer[],
  houseOf: (transfer: TimedTransfer) => Id,
): Promise<void> {
  if (transfers.length === 0) return;
  const posted = transfers.map((transfer) => {
    const subject = { projectId: houseOf(transfer), subjectId: transfer.id, currency: transfer.currency };
    const clearing = clearingOfAccount(transfer.account.code);
    return journalUnexplained(subject, newId(), transfer.amount, clearing);
  });
  await postTransfers(tx, posted);
}

function uniqueKeys(keys: readonly PaymentKey[]): PaymentKey[] {
  return [...new Map(keys.map((key) => [key.requestId, key])).values()];
}
