import { journalHold } from "../../core/ledger/journal.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { insertHold, type NewHold } from "../../store/ledger/holds.ts";
import { type PostingFault, postingTransaction, postTransfers } from "../../store/ledger/ledger.ts";
import { findProject } from "../../store/merchants/projects.ts";

/**
 * Locks money of a project that no payout asks for: available → locked. Payouts place and close their own holds in the
 * commit that changes the payout.
 */
export async function placeHold(
  db: Database,
  wanted: Omit<NewHold, "id">,
): Promise<Result<NewHold, PostingFault | "reference_taken" | "project_unknown">> {
  const placed = await postingTransaction(db, async (tx) => {
    if ((await findProject(tx, wanted.projectId)) === undefined) return fail("project_unknown" as const);
    const hold: NewHold = { ...wanted, id: newId() };
    if (!(await insertHold(tx, hold))) return fail("reference_taken" as const);
    const { projectId, id: subjectId, currency, amount } = hold;
    await postTransfers(tx, [journalHold({ projectId, subjectId, currency }, newId(), amount)]);
    return ok(hold);
  });
  return placed.ok ? placed.value : placed;
}
