import type { Id } from "../../core/ids.ts";
import { CLEARING_MANUAL, type ClearingAccount } from "../../core/ledger/accounts.ts";
import { journalReversal } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { isFinal } from "../../core/payments/states.ts";
import { clearingOf } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import { freeOperatorReference } from "../../store/ledger/operator-references.ts";
import { findReversedMove, insertReversal, markMoveReversed } from "../../store/ledger/reversals.ts";
import { findSuspenseMove, type SuspenseMove, sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type LockedPayment, lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { findPaymentKey } from "../../store/payments/read-payments.ts";
import { insertHistory } from "../../store/payments/save-payments.ts";
import type { AccountLines, SuspenseDeps } from "./account-lines.ts";
import type { ReverseFault } from "./reverse-fault.ts";

/** An operator takes back what was done with money in suspense, named by the payment and the reference. */
export type ReverseMove = {
  readonly requestId: Id;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

type Reversing = Result<SuspenseMove, ReverseFault>;

/** One commit: the money stands in suspense under its payment again, and the reference is free. Nothing is deleted. */
export async function reverseMove({ db, lines }: SuspenseDeps, command: ReverseMove): Promise<Reversing> {
  const source = await findPaymentKey(db, command.requestId);
  if (source === undefined) return fail({ kind: "payment_unknown" });
  const move = await findSuspenseMove(db, source.projectId, command.reference);
  if (move === undefined || move.requestId !== source.requestId) return answerNone(db, source, command);
  const posted = await postingTransaction(db, (tx) => reverseLocked({ tx, lines }, { source, move }, command));
  if (posted.ok) return posted.value;
  if (posted.error === "insufficient_balance") return fail({ kind: "spent" });
  throw new Error("what is taken back can only make a balance less");
}

async function answerNone(
  db: Pick<Database, "run">,
  source: PaymentKey,
  { reference }: ReverseMove,
): Promise<Reversing> {
  const earlier = await findReversedMove(db, source, reference);
  return fail(earlier === undefined ? { kind: "entry_unknown" } : { kind: "reversed_before", earlier });
}

/** In the order in which the movement itself took its locks: the account's lines, then the payments, balances last. */
async function reverseLocked(
  { tx, lines }: { readonly tx: Transaction; readonly lines: AccountLines },
  { source, move: found }: { readonly source: PaymentKey; readonly move: SuspenseMove },
  command: ReverseMove,
): Promise<Reversing> {
  const { id, kind, through, targetProjectId, targetRequestId } = found;
  const account = kind === "return" ? await lines.lockAccountOfWay(tx, through) : undefined;
  const hasGoal = targetProjectId !== null && targetRequestId !== null;
  const goalKey = hasGoal ? { projectId: targetProjectId, requestId: targetRequestId } : undefined;
  const locked = await lockPayments(tx, goalKey === undefined ? [source] : [source, goalKey]);
  const move = await findSuspenseMove(tx, source.projectId, command.reference);
  if (move?.id !== id) return answerNone(tx, source, command);
  const goal = locked.find(({ requestId }) => requestId === goalKey?.requestId);
  const fault = goal === undefined ? undefined : await findGoalFault(tx, goal, move);
  if (fault !== undefined) return fail(fault);
  const { actor, reason } = command;
  const { projectId, currency, amount } = move;
  await insertReversal(tx, {
    ...{ projectId, currency, amount, actor, reason },
    id: newId(),
    entry: "suspense_move",
    entryId: id,
  });
  await markMoveReversed(tx, projectId, id);
  const project = await findProject(tx, projectId);
  if (project === undefined) throw new Error("a payment has its project");
  await freeOperatorReference(tx, { book: project.book, reference: command.reference, subjectIds: [move.requestId] });
  await insertHistory(
    tx,
    locked.map((payment) => historyOf(payment, move, command)),
  );
  const line = account === undefined ? [] : await lines.takeReturnOut(tx, account, move, command);
  await postTransfers(tx, [...journalOf(move), ...line]);
  return ok(move);
}

/** What it brought to another payment must still stand there. */
async function findGoalFault(
  tx: Transaction,
  goal: LockedPayment,
  { amount }: SuspenseMove,
): Promise<ReverseFault | undefined> {
  const { requestId, state } = goal;
  if (!isFinal(state)) return { kind: "payment_open", requestId, state };
  const standing = await sumSuspense(tx, goal);
  return standing < amount ? { kind: "moved_on", requestId, standing } : undefined;
}

function historyOf({ projectId, requestId, state }: LockedPayment, move: SuspenseMove, { actor, reason }: ReverseMove) {
  const detail = `${move.amount} ${move.currency}, reference ${move.reference}: ${reason}`;
  return { projectId, requestId, fromState: state, toState: state, event: "suspense_reversed", actor, detail };
}

/** The journal of the movement with its sides exchanged. */
function journalOf(move: SuspenseMove): Transfer[] {
  const { projectId, requestId, currency, amount, targetProjectId, targetRequestId } = move;
  const payment = { projectId, subjectId: requestId, currency };
  const arrive = (from: "available" | ClearingAccount) =>
    journalReversal(payment, newId(), amount, { from, to: "suspense" });
  if (move.kind === "return" || targetProjectId === null) return [arrive(clearingOf(move.through))];
  if (move.kind === "to_balance" && targetProjectId === projectId) return [arrive("available")];
  const subjectId = targetRequestId ?? move.id;
  const from = targetRequestId === null ? "available" : "suspense";
  const goal = { projectId: targetProjectId, subjectId, currency };
  return [journalReversal(goal, newId(), amount, { from, to: CLEARING_MANUAL }), arrive(CLEARING_MANUAL)];
}
