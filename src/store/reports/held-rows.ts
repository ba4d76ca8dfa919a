import type { Database, Row, Statement, Transaction } from "../db.ts";

/**
 * Rows of one snapshot, however many and however slowly they are read. PostgreSQL keeps the result of a cursor WITH HOLD
 * when the transaction commits, on its own disk: from then on no snapshot is held that would keep vacuum from its work, and
 * neither side holds more than one portion in memory. The connection is taken from no pool.
 */
export type HeldRows<First, R> = {
  /** What was read first, in the same snapshot. */
  readonly first: First;
  /** One portion at a time; the connection is closed after the last one, or when the reader stops. */
  readonly portions: () => AsyncGenerator<R[], void, void>;
  readonly close: () => Promise<void>;
};

const READING_MAX_MS = 600_000;
/** A reader that takes nothing for so long has gone away; the server then ends the session. */
const IDLE_MAX_MS = 120_000;
const PORTION_ROWS = 1_000;

export async function holdRows<First, R extends Row>(
  db: Database,
  readFirst: (tx: Transaction) => Promise<First>,
  { text, values }: Pick<Statement, "text" | "values">,
): Promise<HeldRows<First, R>> {
  const client = await db.connect();
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= client.end().catch(() => undefined);
    return closing;
  };
  try {
    await client.query(`set statement_timeout = ${READING_MAX_MS}; set idle_session_timeout = ${IDLE_MAX_MS}`);
    await client.query("begin isolation level repeatable read read only");
    const first = await readFirst({
      run: async (statement) => (await client.query(statement.text, [...(statement.values ?? [])])).rows,
    });
    await client.query(`declare held no scroll cursor with hold for ${text}`, [...(values ?? [])]);
    await client.query("commit");
    return { first, portions, close };
  } catch (error) {
    await close();
    throw error;
  }

  async function* portions(): AsyncGenerator<R[], void, void> {
    try {
      for (;;) {
        const { rows } = await client.query<R>(`fetch ${PORTION_ROWS} from held`);
        if (rows.length > 0) yield rows;
        if (rows.length < PORTION_ROWS) return;
      }
    } finally {
      await close();
    }
  }
}
