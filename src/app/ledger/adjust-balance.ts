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
import { takeReference } from "./take-reference.ts";

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
  command: AdjustBalance,
): Promise<Result<Adjusted, PostingFault | "project_unknown" | "reference_taken">> {
  const adjustment: Adjustment = { ...command, id: newId() };
  try {
    const posted = await postingTransaction(db, (tx) => adjust(tx, command, adjustment));
    return posted.ok ? posted.value : posted;
  } catch (error) {
    if (error instanceof ReferenceTaken) return fail("reference_taken");
    throw error;
  }
}

async function adjust(
  tx: Transaction,
  command: AdjustBalance,
  adjustment: Adjustment,
): Promise<Result<Adjusted, "project_unknown" | "reference_taken">> {
  const project = await findProject(tx, command.projectId);
  if (project === undefined) return fail("project_unknown" as const);
  if (!(await insertAdjustment(tx, adjustment))) {
    const earlier = await findAdjustment(tx, command.projectId, command.currency, command.reference);
    return earlier !== undefined && isSameCommand(earlier, command)
      ? ok({ adjustment: earlier, repeated: true })
      : fail("reference_taken" as const);
  }
  const { projectId, reference } = command;
  const name = `balance ${command.direction}`;
  const isFree = await takeReference(tx, {
    book: project.book,
    reference,
    command: name,
    projectId,
    subjectId: adjustment.id,
  });
  if (!isFree) throw new ReferenceTaken();
  const subject = { projectId: command.projectId, subjectId: adjustment.id, currency: command.currency };
  const journal = command.direction === "credit" ? journalCredit : journalDebit;
  await postTransfers(tx, [journal(subject, newId(), command.amount)]);
  return ok({ adjustment, repeated: false });
}

/** The adjustment is rolled back with everything else. */
class ReferenceTaken extends Error {}

/** The reason and the actor may differ when the operator repeats the command; the money may not. */
function isSameCommand(earlier: Adjustment, command: AdjustBalance): boolean {
  return earlier.direction === command.direction && earlier.amount === command.amount;
}
