import type { Database, Transaction } from "../db.ts";

/**
 * The same database, with the name of an operator in every transaction that may write. Triggers of the tables that hold settings
 * write it into the audit log with what was changed (`audit_operator` in migrations/0009-people.sql).
 */
export function withActor(db: Database, actor: string): Database {
  const name = (tx: Transaction) => tx.run({ text: "select set_config('tillgate.actor', $1, true)", values: [actor] });
  const transaction: Database["transaction"] = (work, mode, lockWaitMs) =>
    db.transaction(
      async (tx) => {
        if (mode !== "snapshot") await name(tx);
        return work(tx);
      },
      mode,
      lockWaitMs,
    );
  return { ...db, transaction, run: (statement) => transaction((tx) => tx.run(statement)) };
}
