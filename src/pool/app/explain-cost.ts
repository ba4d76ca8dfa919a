import type { Id } from "../../core/ids.ts";
import { journalCost } from "../../core/ledger/journal.ts";
import type { Book } from "../../core/merchants/book.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { lockTransfersOf, type TransferOutcome } from "../store/bank-lines.ts";
import { explainDebit, findTransfer, type NamedTransfer } from "../store/explained-debits.ts";
import { getHouseProject } from "./house-project.ts";

/** An operator explains a debit of an account as a bank charge. */
export type ExplainCost = {
  readonly account: { readonly id: Id; readonly book: Book };
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

export type ExplainFault =
  | { readonly kind: "transfer_unknown" }
  /** It is known where it went, or it is not money that left. */
  | { readonly kind: "explained"; readonly outcome: TransferOutcome };

/** The first explanation stands; the same again changes nothing. */
export function explainCost(
  db: Database,
  { account, reference, reason, actor }: ExplainCost,
): Promise<Result<{ readonly transfer: NamedTransfer; readonly repeated: boolean }, ExplainFault>> {
  return db.transaction(async (tx) => {
    await lockTransfersOf(tx, [account.id]);
    const transfer = await findTransfer(tx, account.id, reference);
    if (transfer === undefined) return fail({ kind: "transfer_unknown" });
    if (transfer.outcome === "cost") return ok({ transfer, repeated: true });
    if (transfer.outcome !== "unexplained") return fail({ kind: "explained", outcome: transfer.outcome });
    const projectId = await getHouseProject(tx, account.book);
    await explainDebit(tx, transfer.id, { explanation: { outcome: "cost", reason }, actor });
    const subject = { projectId, subjectId: transfer.id, currency: transfer.currency };
    await postTransfers(tx, [journalCost(subject, newId(), transfer.amount)]);
    return ok({ transfer: { ...transfer, outcome: "cost", reason }, repeated: false });
  });
}
