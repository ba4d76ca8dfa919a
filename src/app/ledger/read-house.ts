import type { Period } from "../../core/reports/period.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { type ClearingLine, listClearing } from "../../store/ledger/clearing.ts";
import { listMargin, type MarginLine } from "../../store/ledger/margin.ts";

/** What operators read of the ledger as a whole. Each is one snapshot, and takes as long as it takes. */

export function readMargin(db: Database, period: Period): Promise<MarginLine[]> {
  return inSnapshot(db, (tx) => listMargin(tx, period));
}

export function readClearing(db: Database): Promise<ClearingLine[]> {
  return inSnapshot(db, listClearing);
}

function inSnapshot<T>(db: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.run({ text: "set local statement_timeout = 0" });
    return read(tx);
  }, "snapshot");
}
