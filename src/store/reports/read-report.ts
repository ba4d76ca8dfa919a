import type { Database, Transaction } from "../db.ts";

/** A large merchant's totals may take longer than other statements may. */
const REPORT_MAX_MS = 30_000;

/** All statements of one report, in one snapshot. */
export function readReport<T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    const patient: Transaction = { run: (statement) => tx.run({ ...statement, timeoutMs: REPORT_MAX_MS }) };
    const [, report] = await Promise.all([
      tx.run({ text: `set local statement_timeout = ${REPORT_MAX_MS}` }),
      work(patient),
    ]);
    return report;
  }, "snapshot");
}
