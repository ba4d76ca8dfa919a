import { within } from "../../platform/deadlines.ts";
import type { Database } from "../../store/db.ts";
import { isUsable, readMigrations, schemaState } from "../../store/migrate.ts";
import { takesWrites } from "../../store/processes/takes-writes.ts";

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

const NO_WRITES = "the database takes no writes: it is a standby, or read-only";
const NO_ANSWER: Readiness = { ready: false, reason: "the database does not answer" };
/** Load balancers give up on a check that takes longer, and do not read its reason. */
const ANSWERS_WITHIN_MS = 2_000;

/** Whether this process can do its work: the database answers and takes writes, and has a schema that this program can work on. */
export function openReadiness(
  db: Database,
  directoryAgeMs: () => number,
  onNewerSchema: (version: number) => void = () => undefined,
): () => Promise<Readiness> {
  const migrations = readMigrations();
  let newerSchema = 0;
  let askedMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<Readiness> | undefined;

  async function ask(): Promise<Readiness> {
    try {
      if (!(await takesWrites(db))) return { ready: false, reason: NO_WRITES };
      const state = await schemaState(db, migrations);
      if (state.kind === "compatible" && state.version !== newerSchema) onNewerSchema(state.version);
      newerSchema = state.kind === "compatible" ? state.version : 0;
      return isUsable(state) ? { ready: true } : { ready: false, reason: REASONS[state.kind] };
    } catch {
      return NO_ANSWER;
    }
  }

  return async () => {
    if (directoryAgeMs() > DIRECTORY_AGE_MAX_MS) return { ready: false, reason: "the directory is not current" };
    if (answer === undefined || performance.now() - askedMs > ANSWER_KEPT_MS) {
      askedMs = performance.now();
      answer = within(ask(), ANSWERS_WITHIN_MS, () => NO_ANSWER);
    }
    return answer;
  };
}
