import type { Id } from "../../core/ids.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import { BY_HAND, clearingOf, findProviderFault, POOL_PROVIDER, type ProviderFault } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postingTransaction } from "../../store/ledger/ledger.ts";
import { findProject } from "../../store/merchants/projects.ts";
import {
  type LockedPayment,
  lockPayments,
  type PaymentKey,
  type StoredPayment,
} from "../../store/payments/payments.ts";
import { findPaymentKey } from "../../store/payments/read-payments.ts";
import { takeReference } from "../ledger/take-reference.ts";
import { readProviderCatalog } from "../providers/provider-catalog.ts";
import { applyInTransaction } from "./apply-payments.ts";
import { decideEvent, type Happening } from "./decide-event.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { ReceiptTaken } from "./payment-writes.ts";

/** An operator ends a payment, and proves it by the bank's reference. */
export type EndByHand = {
  readonly requestId: Id;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

export type SettleByHand = EndByHand & {
  /** Which way the money came or left: a provider's code, or `manual`. Left out: see `clearingWayOf`. */
  readonly through?: string | undefined;
};

export type EndByHandFault =
  | { readonly kind: "payment_unknown" | "balance_limit" | "reference_taken" | WayFault }
  /** Not in this state; the history records the attempt. */
  | { readonly kind: "refused"; readonly payment: StoredPayment };

/**
 * `not_by_charge`: the money of a card comes by its charge, so by the provider that has it, and no other way.
 * `no_account_named`: of the operator's own accounts, only one by its name has books.
 */
type WayFault = ProviderFault | "not_by_charge" | "no_account_named";

/** The money is there, or has left: success. */
export function settlePayment(db: Database, command: SettleByHand): Promise<Result<StoredPayment, EndByHandFault>> {
  return endByHand(db, command.requestId, async (tx, payment) => {
    const fault = await findWayFault(tx, payment, command.through);
    if (fault !== undefined) return fail({ kind: fault });
    const settled = settleEvent(payment, command);
    // What cannot be done anyway uses up no reference.
    if (decideEvent(payment, settled) !== undefined) await takePaymentReference(tx, payment, command);
    return ok(settled);
  });
}

/** The money did not come, or certainly did not leave: decline. A payout that has not been sent yet is cancelled. */
export function declinePayment(db: Database, command: EndByHand): Promise<Result<StoredPayment, EndByHandFault>> {
  return endByHand(db, command.requestId, async (_tx, payment) => ok(declineEvent(payment, command)));
}

/** Thrown where the reference is taken, so that nothing is written of it. */
async function takePaymentReference(
  tx: Transaction,
  { projectId, requestId }: LockedPayment,
  { reference }: EndByHand,
): Promise<void> {
  const project = await findProject(tx, projectId);
  if (project === undefined) throw new Error("a payment has its project");
  const given = { book: project.book, reference, command: "payment settle", projectId, subjectId: requestId };
  if (!(await takeReference(tx, given))) throw new ReceiptTaken();
}

type Locked = (tx: Transaction, payment: LockedPayment) => Promise<Result<PaymentEvent, EndByHandFault>>;

/** Locked first, so that the event is made for the payment as it is. */
async function endByHand(
  db: Database,
  requestId: Id,
  eventFor: Locked,
): Promise<Result<StoredPayment, EndByHandFault>> {
  const key = await findPaymentKey(db, requestId);
  if (key === undefined) return fail({ kind: "payment_unknown" });
  try {
    const posted = await postingTransaction(db, (tx) => endLocked(tx, key, eventFor));
    if (posted.ok) return posted.value;
    if (posted.error === "balance_limit") return fail({ kind: "balance_limit" });
    throw new Error("a payment that ends took more than was locked for it");
  } catch (error) {
    if (error instanceof ReceiptTaken) return fail({ kind: "reference_taken" });
    throw error;
  }
}

async function endLocked(
  tx: Transaction,
  key: PaymentKey,
  eventFor: Locked,
): Promise<Result<StoredPayment, EndByHandFault>> {
  const [payment] = await lockPayments(tx, [key]);
  if (payment === undefined) return fail({ kind: "payment_unknown" });
  const event = await eventFor(tx, payment);
  if (!event.ok) return event;
  const [applied] = await applyInTransaction(tx, [event.value]);
  if (applied?.ok) return applied;
  if (applied?.error === "refused") return fail({ kind: "refused", payment });
  if (applied?.error === "receipt_taken") return fail({ kind: "reference_taken" });
  throw new Error(`a locked payment could not be changed: ${applied?.error}`);
}

/** P2P pay-ins count as manual unless the operator says otherwise; charges and payouts went through their provider. */
function clearingWayOf(payment: StoredPayment, through: string | undefined): string {
  return through ?? (kindOf(payment) === "p2p" ? BY_HAND : (payment.provider ?? BY_HAND));
}

async function findWayFault(
  tx: Transaction,
  payment: StoredPayment,
  through: string | undefined,
): Promise<WayFault | undefined> {
  const isElsewhere = through !== undefined && through !== payment.provider;
  if (kindOf(payment) === "card" && isElsewhere) return "not_by_charge";
  if (clearingWayOf(payment, through) === POOL_PROVIDER || lacksAccount(payment, through)) return "no_account_named";
  if (through === undefined || through === BY_HAND) return undefined;
  const project = await findProject(tx, payment.projectId);
  return project === undefined ? undefined : findProviderFault(await readProviderCatalog(tx), through, project.book);
}

/**
 * The payer was shown a receiving account, so that is where unseen money came to, unless an operator says otherwise: booked
 * elsewhere, the bank's own line would count it a second time.
 */
function lacksAccount({ direction, provider, receivedAmount }: StoredPayment, through: string | undefined): boolean {
  return direction === "payin" && provider === POOL_PROVIDER && receivedAmount === 0n && through === undefined;
}

function settleEvent(payment: LockedPayment, command: SettleByHand): PaymentEvent {
  const way = clearingWayOf(payment, command.through);
  const settled = settling(payment, { kind: "operator_settled", clearing: clearingOf(way) });
  const named = { ...namedBy(payment, command), ...settled };
  // What arrived has its receipts; money that no provider reported is recorded under the bank's reference, which is valid once.
  const nothingSeen = payment.direction === "payin" && payment.receivedAmount === 0n;
  if (!nothingSeen || decideEvent(payment, settled) === undefined) return named;
  const amount = payment.requestedAmount;
  const receivedFrom = { provider: way, receiptReference: nameOf(payment, command), amount, receivedAt: payment.now };
  return { ...named, receivedFrom };
}

/** A charge keeps one name, so that a later report of the provider is not a second charge. */
function nameOf(payment: StoredPayment, { reference }: SettleByHand): string {
  return kindOf(payment) === "card" ? (payment.reference ?? reference) : reference;
}

type Settled = { readonly kind: "operator_settled"; readonly clearing: ClearingAccount };

function settling(payment: StoredPayment, settled: Settled): Happening {
  const kind = kindOf(payment);
  if (kind === "payout") return { payout: settled };
  return kind === "card" ? { card: settled } : { payin: settled };
}

function declineEvent(payment: LockedPayment, command: EndByHand): PaymentEvent {
  const named = namedBy(payment, command);
  const machine = kindOf(payment);
  if (machine === "p2p") return { ...named, payin: { kind: "operator_declined" } };
  if (machine === "card") return { ...named, card: { kind: "operator_declined" } };
  const kind = payment.state === "processing:new" ? "operator_cancelled" : "operator_declined";
  return { ...named, payout: { kind, clearing: clearingOf(clearingWayOf(payment, undefined)) } };
}

function namedBy({ projectId, requestId }: PaymentKey, { actor, reference, reason }: EndByHand) {
  return { projectId, requestId, actor, detail: `reference ${reference}: ${reason}` };
}
