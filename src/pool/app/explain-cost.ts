import { getHouseProject } from "../../app/ledger/house-project.ts";
import type { Id } from "../../core/ids.ts";
import { journalCost } from "../../core/ledger/journal.ts";
import type { Book } from "../../core/merchants/book.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { type BankLineOutcome, lockLinesOf } from "../store/bank-lines.ts";
import { explainDebit, findBankLine, type NamedLine } from "../store/explained-debits.ts";

/** An operator explains a debit of an account as a bank charge. */
export type ExplainCost = {
  readonly account: { readonly id: Id; readonly book: Book };
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

export type ExplainFault =
  | { readonly kind: "line_unknown" }
  /** It is known where it went, or it is not money that left. */
  | { readonly kind: "explained"; readonly outcome: BankLineOutcome };

/** The first explanation stands; the same again changes nothing. */
export function explainCost(
  db: Database,
  { account, reference, reason, actor }: ExplainCost,
): Promise<Result<{ readonly line: NamedLine; readonly repeated: boolean }, ExplainFault>> {
  return db.transaction(async (tx) => {
    await lockLinesOf(tx, [account.id]);
    const line = await findBankLine(tx, account.id, reference);
    if (line === undefined) return fail({ kind: "line_unknown" });
    if (line.outcome === "cost") return ok({ line, repeated: true });
    if (line.outcome !== "unexplained") return fail({ kind: "explained", outcome: line.outcome });
    const projectId = await getHouseProject(tx, account.book);
    await explainDebit(tx, line.id, { explanation: { outcome: "cost", reason }, actor });
    const subject = { projectId, subjectId: line.id, currency: line.currency };
    await postTransfers(tx, [journalCost(subject, newId(), line.amount)]);
    return ok({ line: { ...line, outcome: "cost", reason }, repeated: false });
  });
}
