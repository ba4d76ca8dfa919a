import type { Database } from "../db.ts";

/** False on a standby, and where the server or the role was made read-only. */
export async function takesWrites(db: Pick<Database, "run">): Promise<boolean> {
  const [row] = await db.run<{ writable: boolean }>({
    text: "select current_setting('transaction_read_only') = 'off' as writable",
  });
  return row?.writable === true;
}
