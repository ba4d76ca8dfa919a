import type { Database } from "../../store/db.ts";
import type { Violation } from "../../store/ledger/ledger-check.ts";
import { ALL_RULES } from "../rigs/with-pool.ts";

export type LedgerWatch = {
  readonly listViolations: () => Promise<Violation[]>;
  readonly close: () => Promise<void>;
};

/** All rules as one statement, which reads one snapshot. */
const STATEMENT = Object.entries(ALL_RULES)
  .map(([rule, text]) => `select '${rule}' as rule, "where", detail from (${text}) as broken`)
  .join("\nunion all\n");

/**
 * The ledger's rules for the end of every test. A connection of its own keeps the plan: planned again for each test, as
 * `ledger check` plans them, the rules took 13 ms of processor time; this way they take 1 ms.
 */
export function openLedgerWatch(db: Database): LedgerWatch {
  let connection: ReturnType<Database["connect"]> | undefined;
  const connect = async () => {
    const client = await db.connect();
    // A test that ends connections of its database may end this one too.
    client.once("end", () => {
      connection = undefined;
    });
    await client.query("set statement_timeout = 0");
    return client;
  };
  return {
    listViolations: async () => {
      connection ??= connect();
      const { rows } = await (await connection).query<Violation>({ name: "ledger rules", text: STATEMENT });
      return rows;
    },
    close: async () => {
      await (await connection)?.end();
    },
  };
}
