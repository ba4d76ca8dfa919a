import type { CallbackQuestion } from "../../core/callbacks/callback-question.ts";
import type { Id } from "../../core/ids.ts";
import { ok, type Result } from "../../core/result.ts";
import {
  countMatchingCallbacks,
  listScopeCallbacks,
  type ScopeCallback,
} from "../../store/callbacks/scope-callbacks.ts";
import type { Database } from "../../store/db.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { idsOf, projectOf, projectsInScope, type ReportScope, type ScopeProject } from "../reports/report-scope.ts";

export type ListedCallback = ScopeCallback & { readonly project: ScopeProject };

export type CallbackPage = {
  readonly rows: readonly ListedCallback[];
  readonly next: Id | undefined;
  /** How many match; `COUNTED_MAX` + 1 where there are more. */
  readonly count: number;
};

const ROWS_OF_PAGE = 50;
/** A count beyond it would be of no use to a reader: no more are sent again at once. */
export const COUNTED_MAX = 10_000;

/** A page of the merchant's callbacks, and how many match; both of one snapshot. */
export async function listCallbacksInScope(
  db: Database,
  scope: ReportScope,
  question: CallbackQuestion,
  after: Id | undefined,
): Promise<Result<CallbackPage, "not_found">> {
  const projects = projectsInScope(scope, question.projectId);
  if (!projects.ok) return projects;
  const ids = idsOf(projects.value);
  const [found, count] = await readReport(db, (tx) =>
    Promise.all([
      listScopeCallbacks(tx, ids, question, { after, limit: ROWS_OF_PAGE + 1 }),
      countMatchingCallbacks(tx, ids, question, COUNTED_MAX + 1),
    ]),
  );
  const rows = found.slice(0, ROWS_OF_PAGE).map((row) => ({ ...row, project: projectOf(projects.value, row) }));
  return ok({ rows, count, next: found.length > ROWS_OF_PAGE ? rows.at(-1)?.id : undefined });
}
