import { getHouseProject } from "../../app/ledger/house-project.ts";
import { takeLineReference } from "../../app/ledger/take-reference.ts";
import { applyInTransaction } from "../../app/payments/apply-payments.ts";
import type { PaymentEvent } from "../../app/payments/payment-event.ts";
import type { Id } from "../../core/ids.ts";
import { journalExplained } from "../../core/ledger/journal.ts";
import { clearingOfAccount } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import { findProject } from "../../store/merchants/projects.ts";
import {
  type LockedPayment,
  lockPayments,
  type PaymentKey,
  type StoredPayment,
} from "../../store/payments/payments.ts";
import { findPaymentKey } from "../../store/payments/read-payments.ts";
import { findLeavingObstacle } from "../core/hand-payout.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";
import { type BookedSpan, insertBankLines, lockLinesOf, resolveBookedTimes } from "../store/bank-lines.ts";
import { explainDebit, findBankLine, findDebitOf, type NamedLine } from "../store/explained-debits.ts";
import { endHandPayout, findHandPayoutOf, lockHandPayout, type StoredHandPayout } from "../store/hand-payouts.ts";
import { findReceivingAccount, type StoredAccount } from "../store/receiving-accounts.ts";

/** An operator made a payout, from this account, and the bank calls it so. */
export type CompletePayout = {
  readonly requestId: Id;
  readonly account: string;
  readonly reference: string;
  /** Left out: now. */
  readonly booked: BookedTime | undefined;
  readonly actor: string;
};

/** `changed` is false when this very thing was recorded before. */
type CompletedPayout = { readonly payment: StoredPayment; readonly changed: boolean };

export type CompleteFault =
  | {
      readonly kind:
        | "payment_unknown"
        | "not_by_hand"
        | "account_unknown"
        | "account_of_other_book"
        | "account_of_other_currency"
        | "booked_later"
        /** It was completed, and that was reversed: its money stands in suspense under it. */
        | "completion_reversed"
        /** The reference proves another movement, by another command or for another account. */
        | "reference_used";
    }
  /** The bank's reference names something else: another payout, a credit, or a debit of another sum. */
  | { readonly kind: "reference_taken" | "amount_differs"; readonly known: NamedLine }
  | { readonly kind: "completed_otherwise"; readonly account: string; readonly reference: string }
  /** Another provider paid it, or may: see `findLeavingObstacle`. */
  | { readonly kind: "paid_otherwise" | "elsewhere"; readonly payment: StoredPayment };

type Completion = Result<CompletedPayout, CompleteFault>;

/**
 * One commit: the bank's line, the payout's end, and the payment's success with the money out of the account's clearing. A
 * line that a statement brought before, and that was unexplained, is explained in place of a second one.
 */
export async function completePayout(db: Database, command: CompletePayout): Promise<Completion> {
  const key = await findPaymentKey(db, command.requestId);
  if (key === undefined) return fail({ kind: "payment_unknown" });
  const account = await findReceivingAccount(db, command.account);
  if (account === undefined) return fail({ kind: "account_unknown" });
  const posted = await postingTransaction(db, (tx) => completeInTransaction(tx, { key, account, command }));
  if (!posted.ok) throw new Error("a payout that leaves took more than was locked for it");
  return posted.value;
}

type Asked = { readonly key: PaymentKey; readonly account: StoredAccount; readonly command: CompletePayout };

/** The account's lines first, then the payment, then the payout: in the order in which an import locks them. */
async function completeInTransaction(tx: Transaction, { key, account, command }: Asked): Promise<Completion> {
  await lockLinesOf(tx, [account.id]);
  const [payment] = await lockPayments(tx, [key]);
  if (payment === undefined) return fail({ kind: "payment_unknown" });
  const found = await findHandPayoutOf(tx, key);
  const payout = found === undefined ? undefined : await lockHandPayout(tx, found.reference);
  if (payout === undefined) return fail({ kind: "not_by_hand" });
  const project = await findProject(tx, key.projectId);
  if (project?.book !== account.book) return fail({ kind: "account_of_other_book" });
  if (payout.currency !== account.currency) return fail({ kind: "account_of_other_currency" });
  const obstacle = findLeavingObstacle(payout, payment);
  if (obstacle === "completed") return answerRepeat(tx, payment, command);
  if (obstacle !== undefined) return fail({ kind: obstacle, payment });
  const known = await findBankLine(tx, account.id, command.reference);
  if (known !== undefined && known.outcome !== "unexplained") return fail({ kind: "reference_taken", known });
  if (known !== undefined && (known.amount !== payout.amount || known.currency !== payout.currency))
    return fail({ kind: "amount_differs", known });
  const span = await spanOf(tx, payment, account, command);
  if (span.from.getTime() > payment.now.getTime() + CLOCKS_APART_MS) return fail({ kind: "booked_later" });
  const given = { book: account.book, reference: command.reference, command: "payout complete" };
  const isFree = await takeLineReference(tx, { ...given, projectId: key.projectId, subjectId: key.requestId });
  if (!isFree) return fail({ kind: "reference_used" });
  return ok({ payment: await complete(tx, { payment, payout, account, command, known, span }), changed: true });
}

/** Two clocks may differ by so much. */
const CLOCKS_APART_MS = 300_000;

async function spanOf(
  tx: Transaction,
  { now }: LockedPayment,
  account: StoredAccount,
  command: CompletePayout,
): Promise<BookedSpan> {
  const booked = command.booked ?? ({ kind: "instant", from: now, to: now } as const);
  const [span] = await resolveBookedTimes(tx, [{ accountId: account.id, booked }]);
  if (span === undefined) throw new Error("every line has its time");
  return span;
}

async function answerRepeat(tx: Transaction, payment: LockedPayment, command: CompletePayout): Promise<Completion> {
  const debit = await findDebitOf(tx, payment);
  if (debit === undefined) return fail({ kind: "completion_reversed" });
  if (debit.account === command.account && debit.reference === command.reference)
    return ok({ payment, changed: false });
  return fail({ kind: "completed_otherwise", ...debit });
}

type Completing = {
  readonly payment: LockedPayment;
  readonly payout: StoredHandPayout;
  readonly account: StoredAccount;
  readonly command: CompletePayout;
  /** An unexplained debit. */
  readonly known: NamedLine | undefined;
  readonly span: BookedSpan;
};

async function complete(tx: Transaction, completing: Completing): Promise<StoredPayment> {
  const { payment, payout, account, command, known } = completing;
  const { reference, reason } = payout;
  await endHandPayout(tx, { reference, outcome: "approved", accountId: account.id, reason, actor: command.actor });
  if (known === undefined) await insertDebit(tx, completing);
  else await explainDebit(tx, known.id, { explanation: { outcome: "payout", payment }, actor: command.actor });
  const [applied] = await applyInTransaction(tx, [approvedEvent(completing)]);
  if (!applied?.ok) throw new Error(`a payout that can have left was not taken: ${applied?.error}`);
  if (known !== undefined) await postExplained(tx, account, known);
  return applied.value;
}

function approvedEvent({ payment, payout, account, command }: Completing): PaymentEvent {
  const { projectId, requestId } = payment;
  const isPresent = payment.reference === payout.reference;
  return {
    ...{ projectId, requestId, actor: command.actor },
    detail: `bank reference ${command.reference}`,
    payout: { kind: "approved", clearing: clearingOfAccount(account.code) },
    ...(isPresent ? { attemptEnd: { outcome: "taken", detail: "approved" } } : {}),
  };
}

async function insertDebit(tx: Transaction, { payment, payout, account, command, span }: Completing): Promise<void> {
  const { currency, amount } = payout;
  const { projectId, requestId } = payment;
  const line = {
    id: newId(),
    reference: command.reference,
    direction: "debit",
    outcome: "payout",
    payer: null,
  } as const;
  const times = { bookedFrom: span.from, bookedTo: span.to, bookedDay: span.day };
  await insertBankLines(tx, [
    { ...line, ...times, currency, amount, projectId, requestId, accountId: account.id, actor: command.actor },
  ]);
}

/** What we were short of while the debit was unexplained. */
async function postExplained(tx: Transaction, account: StoredAccount, known: NamedLine): Promise<void> {
  const projectId = await getHouseProject(tx, account.book);
  const subject = { projectId, subjectId: known.id, currency: known.currency };
  const clearing = clearingOfAccount(account.code);
  await postTransfers(tx, [journalExplained(subject, newId(), known.amount, clearing)]);
}
