import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { journalCredit, journalDebit } from "../../core/ledger/journal.ts";
import type { Minor } from "../../core/money.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import {
  type Adjustment,
  type AdjustmentDirection,
  findAdjustment,
  insertAdjustment,
} from "../../store/ledger/adjustments.ts";
import { type PostingFault, postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { vouch } from "./take-reference.ts";

export type AdjustBalance = {
  readonly projectId: Id;
  readonly direction: AdjustmentDirection;
  readonly amount: Minor;
  readonly currency: Currency;
  /** Names this movement permanently, in its whole book: the same one again changes nothing. */
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

export type Adjusted = { readonly adjustment: Adjustment; readonly repeated: boolean };

/** Puts money on a project's balance by hand, or takes it off. It stands against the clearing account `manual`. */
export async function adjustBalance(
  db: Database,
  order: AdjustBalance,
): Promise<Result<Adjusted, PostingFault | "project_unknown" | "reference_taken">> {
  const adjustment: Adjustment = { ...order, id: newId() };
  try {
    const posted = await postingTransaction(db, (tx) => adjust(tx, order, adjustment));
    return posted.ok ? posted.value : posted;
  } catch (error) {
    if (error instanceof ReferenceVouched) return fail("reference_taken");
    throw error;
  }
}

async function adjust(
  tx: Transaction,
  order: AdjustBalance,
  adjustment: Adjustment,
): Promise<Result<Adjusted, "project_unknown" | "reference_taken">> {
  const project = await findProject(tx, order.projectId);
  if (project === undefined) return fail("project_unknown" as const);
  if (!(await insertAdjustment(tx, adjustment))) {
    const earlier = await findAdjustment(tx, order.projectId, order.currency, order.reference);
    return earlier !== undefined && isSameOrder(earlier, order)
      ? ok({ adjustment: earlier, repeated: true })
      : fail("reference_taken" as const);
  }
  const { projectId, reference } = order;
  const command = `balance ${order.direction}`;
  const isFree = await vouch(tx, { book: project.book, reference, command, projectId, subjectId: adjustment.id });
  if (!isFree) throw new ReferenceVouched();
  const subject = { projectId: order.projectId, subjectId: adjustment.id, currency: order.currency };
  const journal = order.direction === "credit" ? journalCredit : journalDebit;
  await postTransfers(tx, [journal(subject, newId(), order.amount)]);
  return ok({ adjustment, repeated: false });
}

/** The adjustment is rolled back with everything else. */
class ReferenceVouched extends Error {}

/** The reason and the actor may differ when the operator repeats the command; the money may not. */
function isSameOrder(earlier: Adjustment, order: AdjustBalance): boolean {
  return earlier.direction === order.direction && earlier.amount === order.amount;
}
