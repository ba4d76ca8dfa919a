import { callbackBody } from "../../core/callbacks/body.ts";
import { chooseCallbackUrl } from "../../core/callbacks/callback-url.ts";
import { FINAL_WAITS_MAX_S } from "../../core/callbacks/schedule.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { AMOUNT_MAX, type Minor } from "../../core/money.ts";
import type { Movement } from "../../core/payments/payin.ts";
import { isFinal } from "../../core/payments/states.ts";
import { CARD_SENDING_S } from "../../core/payments/timers.ts";
import { newId } from "../../platform/new-id.ts";
import type { NewCallback } from "../../store/callbacks/callbacks.ts";
import {
  insertCardPayins,
  type NewChallenge,
  type NumberedCard,
  saveChallenges,
} from "../../store/cards/card-payins.ts";
import { allSent, type Transaction } from "../../store/db.ts";
import { closePayoutHolds } from "../../store/ledger/holds.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { type ChoiceName, hintChoices } from "../../store/page/ended-choices.ts";
import { type ChoiceEnd, endChoices, insertChoices, type NewChoice } from "../../store/page/page-choices.ts";
import { type Attempt, type AttemptEnd, endAttempts, insertAttempts } from "../../store/payments/attempts.ts";
import { uncountInDay } from "../../store/payments/daily-usage.ts";
import type { LockedPayment, StoredPayment } from "../../store/payments/payments.ts";
import { type NotedFee, noteProviderFees } from "../../store/payments/provider-fees.ts";
import { insertReceipts, type Receipt } from "../../store/payments/receipts.ts";
import {
  type HistoryLine,
  insertHistory,
  notifyDue,
  notifyPages,
  type PaymentChange,
  savePayments,
} from "../../store/payments/save-payments.ts";
import { type WriteCallbacks, writeDueCallbacks } from "../callbacks/callback-outbox.ts";
import type { PaymentEvent } from "./payment-event.ts";

/**
 * Everything that a batch of happenings writes, gathered first and then written with one statement a table. What changes a
 * row is kept by the row's key: of two rows for one key, an update from an array takes either.
 */
export type PaymentWrites = {
  /** By payment: the last one counts. */
  readonly changes: Map<string, PaymentChange>;
  readonly history: HistoryLine[];
  readonly attempts: Attempt[];
  /** By reference: the first one counts, since an attempt ends once. */
  readonly attemptEnds: Map<string, AttemptEnd>;
  /** By payment: the last one counts. */
  readonly challenges: Map<string, NewChallenge>;
  readonly choices: NewChoice[];
  readonly choiceEnds: ChoiceEnd[];
  /** Choices that are over, and of which a provider has news. */
  readonly hintedChoices: ChoiceName[];
  readonly cards: NumberedCard[];
  /** Payments whose page may be open. */
  readonly pages: Set<string>;
  readonly callbacks: NewCallback[];
  readonly receipts: Receipt[];
  readonly holdEnds: {
    projectId: StoredPayment["projectId"];
    requestId: StoredPayment["requestId"];
    state: "captured" | "released";
  }[];
  readonly uncounted: StoredPayment[];
  /** By reference: the first one counts, since an attempt has one fee. */
  readonly providerFees: Map<string, NotedFee>;
  readonly transfers: Transfer[];
  wakeWorkers: boolean;
};

export function noWrites(): PaymentWrites {
  return {
    changes: new Map(),
    history: [],
    attempts: [],
    attemptEnds: new Map(),
    challenges: new Map(),
    choices: [],
    choiceEnds: [],
    hintedChoices: [],
    cards: [],
    pages: new Set(),
    callbacks: [],
    receipts: [],
    holdEnds: [],
    uncounted: [],
    providerFees: new Map(),
    transfers: [],
    wakeWorkers: false,
  };
}

/**
 * The payments' rows are locked by the caller; usage and then balances are locked here, last. All statements are sent
 * together, and done in this order.
 */
export async function writeAll(
  tx: Transaction,
  writes: PaymentWrites,
  writeCallbacks: WriteCallbacks = writeDueCallbacks,
): Promise<void> {
  const { changes, history, attempts, attemptEnds, callbacks, receipts, holdEnds, uncounted, transfers } = writes;
  const sent: Promise<void>[] = [];
  if (changes.size > 0) sent.push(savePayments(tx, [...changes.values()]));
  if (history.length > 0) sent.push(insertHistory(tx, history));
  if (attemptEnds.size > 0) sent.push(endAttempts(tx, [...attemptEnds.values()]));
  if (attempts.length > 0) sent.push(insertAttempts(tx, attempts));
  // In this order: a payer may leave one choice and make the next in the same batch.
  if (writes.choiceEnds.length > 0) sent.push(endChoices(tx, writes.choiceEnds));
  if (writes.choices.length > 0) sent.push(insertChoices(tx, writes.choices));
  if (writes.hintedChoices.length > 0) sent.push(hintChoices(tx, writes.hintedChoices));
  if (writes.cards.length > 0) sent.push(insertCardPayins(tx, writes.cards, CARD_SENDING_S));
  if (writes.challenges.size > 0) sent.push(saveChallenges(tx, [...writes.challenges.values()]));
  if (callbacks.length > 0) sent.push(writeCallbacks(tx, callbacks));
  if (receipts.length > 0) sent.push(writeReceipts(tx, receipts));
  if (holdEnds.length > 0) sent.push(endHolds(tx, holdEnds));
  if (writes.wakeWorkers) sent.push(notifyDue(tx));
  if (writes.pages.size > 0) sent.push(notifyPages(tx, [...writes.pages]));
  if (uncounted.length > 0) sent.push(uncountInDay(tx, uncounted));
  if (writes.providerFees.size > 0) sent.push(noteProviderFees(tx, [...writes.providerFees.values()]));
  if (transfers.length > 0) sent.push(postTransfers(tx, transfers));
  await allSent(sent);
}

/** Money is counted in the transaction that moves it, or not at all. */
async function writeReceipts(tx: Transaction, receipts: readonly Receipt[]): Promise<void> {
  const written = await insertReceipts(tx, receipts);
  if (written.length !== receipts.length) throw new ReceiptTaken();
}

/** Another payment took the same receipt meanwhile: the batch is rolled back, and each event is tried by itself. */
export class ReceiptTaken extends Error {}

async function endHolds(tx: Transaction, ends: PaymentWrites["holdEnds"]): Promise<void> {
  const closed = await closePayoutHolds(tx, ends);
  if (closed !== ends.length) throw new Error("a payout that is not final has no open hold");
}

export function callbackOf(payment: StoredPayment, locked: LockedPayment): NewCallback | undefined {
  const { request, projectId, requestId, sequence } = payment;
  const url = chooseCallbackUrl(
    payment.state,
    {
      callbackUrl: request.callbackUrl ?? null,
      successCallbackUrl: request.successCallbackUrl ?? null,
      declineCallbackUrl: request.declineCallbackUrl ?? null,
    },
    {
      callbackUrl: locked.projectCallbackUrl,
      successCallbackUrl: locked.projectSuccessCallbackUrl,
      declineCallbackUrl: locked.projectDeclineCallbackUrl,
    },
  );
  if (url === null) return undefined;
  const id = newId();
  const body = callbackBody(payment, { id, sequence, createdAt: locked.now });
  const waitsMaxS = isFinal(payment.state) ? FINAL_WAITS_MAX_S : null;
  return { projectId, id, requestId, sequence, url, origin: new URL(url).origin, waitsMaxS, body };
}

export function gatherFee(writes: PaymentWrites, { projectId, requestId, providerFee }: PaymentEvent): void {
  if (providerFee === undefined || writes.providerFees.has(providerFee.reference)) return;
  writes.providerFees.set(providerFee.reference, { projectId, requestId, ...providerFee, transferId: newId() });
}

export function transfersOf(
  { projectId, requestId, currency }: StoredPayment,
  movements: readonly Movement[],
): Transfer[] {
  return movements.flatMap(({ amount, ...movement }) =>
    inTransfers(amount).map((part) => ({
      id: newId(),
      projectId,
      subjectId: requestId,
      currency,
      ...movement,
      amount: part,
    })),
  );
}

/** A payer can send more than one transfer of ours may hold. */
function inTransfers(amount: Minor): Minor[] {
  const parts: Minor[] = [];
  for (let rest: bigint = amount; rest > 0n; rest -= AMOUNT_MAX) {
    parts.push(rest < AMOUNT_MAX ? (rest as Minor) : AMOUNT_MAX);
  }
  return parts;
}
