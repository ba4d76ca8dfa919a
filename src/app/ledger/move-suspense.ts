import type { Id } from "../../core/ids.ts";
import { CLEARING_MANUAL } from "../../core/ledger/accounts.ts";
import { journalAssigned, journalFromSuspense } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import type { Minor } from "../../core/money.ts";
import { dutyOf } from "../../core/payments/provider-duties.ts";
import { isFinal } from "../../core/payments/states.ts";
import { accountOfWay, BY_HAND, clearingOf } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import {
  findSuspenseMove,
  insertSuspenseMove,
  type SuspenseMove,
  sumSuspense,
} from "../../store/ledger/suspense-moves.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { hasChargeToReverse } from "../../store/page/ended-choices.ts";
import { type LockedPayment, lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { findPaymentKey } from "../../store/payments/read-payments.ts";
import { insertHistory } from "../../store/payments/save-payments.ts";
import { applyInTransaction } from "../payments/apply-payments.ts";
import { ReceiptTaken } from "../payments/payment-writes.ts";
import type { AccountLines, SuspenseDeps } from "./account-lines.ts";
import { resolveTarget } from "./return-way.ts";
import { findTargetFault, type SuspenseFault, type SuspenseTarget, type SuspenseWish } from "./suspense-targets.ts";
import { takeLineReference, takeReference } from "./take-reference.ts";

/** An operator deals with money that stands in suspense under an ended payment. */
export type MoveSuspense = {
  readonly requestId: Id;
  readonly amount: Minor;
  readonly target: SuspenseWish;
  /** Names this movement permanently: the same one again changes nothing. */
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

type SuspenseMoved = {
  readonly move: SuspenseMove;
  readonly repeated: boolean;
  /** What still stands in suspense under the payment. */
  readonly left: Minor;
};

/** With the way that a return goes. */
type MoveCommand = Omit<MoveSuspense, "target"> & { readonly target: SuspenseTarget };

type Moving = Result<SuspenseMoved, SuspenseFault>;

/** All of it in one transaction: the move, both halves of its journal, and what it does to the payment it goes to. */
export async function moveSuspense(deps: SuspenseDeps, wish: MoveSuspense): Promise<Moving> {
  const { db } = deps;
  const source = await findPaymentKey(db, wish.requestId);
  if (source === undefined) return fail({ kind: "payment_unknown" });
  const resolved = await resolveTarget(db, source, wish);
  if (!resolved.ok) return resolved;
  const target = resolved.value;
  const command: MoveCommand = { ...wish, target };
  const goal = target.kind === "to_payment" ? await findPaymentKey(db, target.requestId) : undefined;
  if (target.kind === "to_payment" && goal === undefined) return fail({ kind: "target_unknown" });
  const moved = await tryMove(deps, command, { source, goal, noRoom: false });
  // The same rule as for any money: what completes a payment and does not fit waits under that payment.
  const full = !moved.ok && moved.error.kind === "balance_limit" && goal !== undefined;
  return full ? tryMove(deps, command, { source, goal, noRoom: true }) : moved;
}

type Way = { readonly source: PaymentKey; readonly goal: PaymentKey | undefined; readonly noRoom: boolean };

/** Rolls everything back. */
class MoveRefused extends Error {
  readonly fault: SuspenseFault;

  constructor(fault: SuspenseFault) {
    super(fault.kind);
    this.fault = fault;
  }
}

async function tryMove({ db, lines }: SuspenseDeps, command: MoveCommand, way: Way): Promise<Moving> {
  try {
    const posted = await postingTransaction(db, (tx) => moveLocked({ tx, lines }, command, way));
    if (posted.ok) return posted.value;
    if (posted.error === "balance_limit") return fail({ kind: "balance_limit" });
    throw new Error("money out of suspense can only add to a balance");
  } catch (error) {
    if (error instanceof MoveRefused) return fail(error.fault);
    if (error instanceof ReceiptTaken) return fail({ kind: "receipt_taken" });
    throw error;
  }
}

type Locked = { readonly tx: Transaction; readonly lines: AccountLines };

async function moveLocked({ tx, lines }: Locked, command: MoveCommand, way: Way): Promise<Moving> {
  const account =
    command.target.kind === "return" ? await lines.lockAccountOfWay(tx, command.target.through) : undefined;
  const locked = await lockPayments(tx, way.goal === undefined ? [way.source] : [way.source, way.goal]);
  const payment = locked.find(({ requestId }) => requestId === way.source.requestId);
  const goal = locked.find(({ requestId }) => requestId === way.goal?.requestId);
  if (payment === undefined) return fail({ kind: "payment_unknown" });
  const move = moveOf(command, payment, goal);
  const earlier = await findEarlier(tx, move);
  if (earlier !== undefined) return earlier;
  const standing = await sumSuspense(tx, payment);
  const isGoingBack = payment.choiceCount !== null && (await hasChargeToReverse(tx, payment));
  const fault =
    (isGoingBack ? ({ kind: "reversal_pending" } as const) : undefined) ??
    findSourceFault(payment, command.amount, standing) ??
    (await findTargetFault(tx, payment, command, { goal, account }));
  if (fault !== undefined) return fail(fault);
  if (!(await insertSuspenseMove(tx, move))) {
    return (await findEarlier(tx, move)) ?? fail({ kind: "reference_taken" });
  }
  if (!(await takeMoveReference(tx, move))) throw new MoveRefused({ kind: "reference_taken" });
  await insertHistory(tx, [historyOf(move, payment)]);
  const explained = account === undefined ? [] : await lines.recordReturn(tx, account, move, payment.now);
  if (explained === "taken") throw new MoveRefused({ kind: "line_taken" });
  await postTransfers(tx, [...explained, ...journalOf(move)]);
  if (goal !== undefined) await receiveInto(tx, move, goal, way.noRoom);
  return ok({ move, repeated: false, left: (standing - command.amount) as Minor });
}

/** Where money went back from a receiving account, its bank's lines say what the reference names: see `AccountLines`. */
async function takeMoveReference(tx: Transaction, move: SuspenseMove): Promise<boolean> {
  const { projectId, requestId, reference } = move;
  const project = await findProject(tx, projectId);
  if (project === undefined) throw new Error("a payment has its project");
  const command = move.kind === "return" ? "suspense return" : "suspense assign";
  const given = { book: project.book, reference, command, projectId, subjectId: requestId };
  return accountOfWay(move.through) === undefined ? takeReference(tx, given) : takeLineReference(tx, given);
}

function moveOf(command: MoveCommand, payment: LockedPayment, goal: LockedPayment | undefined): SuspenseMove {
  const { target, amount, reference, reason, actor } = command;
  const { projectId, requestId, currency } = payment;
  const toBalance = target.kind === "to_balance" ? target.projectId : null;
  return {
    projectId,
    id: newId(),
    requestId,
    kind: target.kind,
    currency,
    amount,
    targetProjectId: goal?.projectId ?? toBalance,
    targetRequestId: goal?.requestId ?? null,
    through: target.kind === "return" ? target.through : BY_HAND,
    reference,
    reason,
    actor,
  };
}

/** Asked first of all: what was done before is answered so, however things stand by now. */
async function findEarlier(tx: Transaction, move: SuspenseMove): Promise<Moving | undefined> {
  const earlier = await findSuspenseMove(tx, move.projectId, move.reference);
  if (earlier === undefined) return undefined;
  if (!isSameMove(earlier, move)) return fail({ kind: "reference_taken" });
  return ok({ move: earlier, repeated: true, left: await sumSuspense(tx, move) });
}

/** The reason and the actor may differ when the operator repeats the command; the money may not. */
function isSameMove(one: SuspenseMove, other: SuspenseMove): boolean {
  return (
    one.requestId === other.requestId &&
    one.kind === other.kind &&
    one.amount === other.amount &&
    one.targetProjectId === other.targetProjectId &&
    one.targetRequestId === other.targetRequestId &&
    one.through === other.through
  );
}

/** What an open payment has is still being decided about, and a charge that is given back must not go twice. */
function findSourceFault(payment: LockedPayment, amount: Minor, standing: Minor): SuspenseFault | undefined {
  if (!isFinal(payment.state)) return { kind: "payment_open", state: payment.state };
  if (dutyOf(payment) === "reverse") return { kind: "reversal_pending" };
  return amount > standing ? { kind: "exceeds", standing, currency: payment.currency } : undefined;
}

function historyOf(move: SuspenseMove, { projectId, requestId, state }: LockedPayment) {
  const event = move.kind === "return" ? "suspense_returned" : "suspense_assigned";
  const detail = `${move.amount} ${move.currency}, reference ${move.reference}: ${move.reason}`;
  return { projectId, requestId, fromState: state, toState: state, event, actor: move.actor, detail };
}

/** Balance rows, where there are any, are locked by this posting; it is the last but for a payment that receives. */
function journalOf(move: SuspenseMove): Transfer[] {
  const { projectId, requestId, currency, amount, targetProjectId } = move;
  const payment = { projectId, subjectId: requestId, currency };
  const leave = (to: "available" | typeof CLEARING_MANUAL) =>
    journalFromSuspense(payment, newId(), amount, { to, kind: "assign" });
  if (move.kind === "return") {
    return [journalFromSuspense(payment, newId(), amount, { to: clearingOf(move.through), kind: "return" })];
  }
  if (move.kind === "to_payment" || targetProjectId === null) return [leave(CLEARING_MANUAL)];
  if (targetProjectId === projectId) return [leave("available")];
  const arrival = { projectId: targetProjectId, subjectId: move.id, currency };
  return [leave(CLEARING_MANUAL), journalAssigned(arrival, newId(), amount)];
}

/** By the same rules as any money that arrives, under a receipt that the reference names. */
async function receiveInto(tx: Transaction, move: SuspenseMove, goal: LockedPayment, noRoom: boolean): Promise<void> {
  const { projectId, requestId, now } = goal;
  const { amount, reference, reason, actor } = move;
  const [applied] = await applyInTransaction(tx, [
    {
      projectId,
      requestId,
      actor,
      payin: { kind: "received", amount, clearing: CLEARING_MANUAL, ...(noRoom ? { noRoom } : {}) },
      receivedFrom: { provider: BY_HAND, receiptReference: reference, amount, receivedAt: now },
      detail: `from suspense of ${move.requestId}, reference ${reference}: ${reason}`,
    },
  ]);
  if (applied?.ok !== true) throw new MoveRefused({ kind: "target_refuses", state: goal.state });
  // A receipt that is known already is answered as if all were well, and nothing would have arrived.
  if (applied.value.receivedAmount !== goal.receivedAmount + amount) throw new MoveRefused({ kind: "receipt_taken" });
}
