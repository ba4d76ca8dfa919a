import type { Database } from "../../store/db.ts";
import { readMigrations, schemaState } from "../../store/migrate.ts";

export { isUnavailable } from "../../store/faults.ts";

export type Readiness = { readonly ready: true } | { readonly ready: false; readonly reason: string };

/** Any client may ask, so the database is asked once a second at most. */
const ANSWER_KEPT_MS = 1_000;
/** Older than this, the working connections are in trouble even if a new one answers. */
const DIRECTORY_AGE_MAX_MS = 10_000;

const REASONS = {
  ahead: "the schema is newer than this program",
  other: "the schema is that of another version",
  behind: "migrations are missing",
} as const;

/** Whether this process can do its work: the database answers, and has the schema that this program was written for. */
export function openReadiness(db: Database, directoryAgeMs: () => number): () => Promise<Readiness> {
  const migrations = readMigrations();
  let askedMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<Readiness> | undefined;

  async function ask(): Promise<Readiness> {
    try {
      const state = await schemaState(db, migrations);
      return state.kind === "current" ? { ready: true } : { ready: false, reason: REASONS[state.kind] };
    } catch {
      return { ready: false, reason: "the database does not answer" };
    }
  }

  return async () => {
    if (directoryAgeMs() > DIRECTORY_AGE_MAX_MS) return { ready: false, reason: "the directory is not current" };
    if (answer === undefined || performance.now() - askedMs > ANSWER_KEPT_MS) {
      askedMs = performance.now();
      answer = ask();
    }
    return answer;
  };
}
