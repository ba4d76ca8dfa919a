import type { Minor } from "../../core/money.ts";
import { type RegisterDay, registerOf } from "../../core/reports/register.ts";
import type { Standing, StatementQuestion } from "../../core/reports/statement.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { listRegisterParts } from "../../store/reports/statement-lines.ts";
import { readBounds } from "./read-statement.ts";
import { projectsInScope, type ReportScope, type ScopeProject } from "./report-scope.ts";

export type Register = {
  readonly project: ScopeProject;
  readonly opening: Standing;
  readonly closing: Standing;
  readonly days: readonly RegisterDay[];
};

/** The statement of a period, day by day (UTC). Its days add up to the statement: both are made from the same lines. */
export async function readRegister(
  db: Database,
  scope: ReportScope,
  { filter }: Pick<StatementQuestion, "filter">,
): Promise<Result<Register, "not_found">> {
  const projects = projectsInScope(scope, filter.projectId);
  const project = projects.ok ? projects.value[0] : undefined;
  if (project === undefined) return fail("not_found");
  return db.transaction(async (tx) => {
    const [{ opening, closing }, parts] = await Promise.all([
      readBounds(tx, filter, undefined),
      listRegisterParts(tx, filter),
    ]);
    const groups = parts.map((part) => ({ ...part, amount: BigInt(part.amount) as Minor }));
    return ok({ project, opening, closing, days: registerOf(opening, groups) });
  }, "snapshot");
}
