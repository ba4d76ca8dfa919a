import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import {
  countLedger,
  LEDGER_RULES,
  type LedgerRules,
  type LedgerTotals,
  listViolations,
  type Violation,
} from "../../store/ledger/ledger-check.ts";
import { saveLedgerCheck } from "../../store/ledger/ledger-checks.ts";

export type LedgerReport = LedgerTotals & { readonly violations: readonly Violation[] };

/**
 * Proves the books over the whole database, in one snapshot: payments may go on meanwhile. The pool hands in what its own
 * accounts must obey besides.
 */
export function checkLedger(db: Database, poolRules: LedgerRules): Promise<LedgerReport> {
  return db.transaction(async (tx) => {
    await tx.run({ text: "set local statement_timeout = 0" });
    const violations = await listViolations(tx, { ...LEDGER_RULES, ...poolRules });
    return { ...(await countLedger(tx)), violations };
  }, "snapshot");
}

/** So that metrics and `attention` can tell when the books were last checked, and what was found. */
export async function recordLedgerCheck(
  db: Pick<Database, "run">,
  { violations }: Pick<LedgerReport, "violations">,
  actor: string,
): Promise<void> {
  await saveLedgerCheck(db, { id: newId(), violationCount: violations.length, actor });
}
