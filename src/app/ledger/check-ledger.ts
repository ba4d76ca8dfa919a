import type { Database } from "../../store/db.ts";
import { countLedger, type LedgerTotals, listViolations, type Violation } from "../../store/ledger/ledger-check.ts";

export type LedgerReport = LedgerTotals & { readonly violations: readonly Violation[] };

/** Proves the books over the whole database, in one snapshot: payments may go on meanwhile. */
export function checkLedger(db: Database): Promise<LedgerReport> {
  return db.transaction(async (tx) => {
    await tx.run({ text: "set local statement_timeout = 0" });
    return { ...(await countLedger(tx)), violations: await listViolations(tx) };
  }, "snapshot");
}
