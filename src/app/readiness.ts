import type { Database } from "../store/db.ts";
import { readMigrations, schemaState } from "../store/migrate.ts";

export { isUnavailable } from "../store/faults.ts";

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Whether this process can do its work: the database answers, and has the schema that this program was written for. */
export function openReadiness(db: Database): () => Promise<Readiness> {
  const migrations = readMigrations();
  return async () => {
    try {
      const state = await schemaState(db, migrations);
      if (state.kind === "current") return { ready: true };
      return {
        ready: false,
        reason: state.kind === "ahead" ? "the schema is newer than this program" : "migrations are missing",
      };
    } catch {
      return { ready: false, reason: "the database does not answer" };
    }
  };
}
