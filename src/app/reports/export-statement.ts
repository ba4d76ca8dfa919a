import type { Standing, StatementQuestion } from "../../core/reports/statement.ts";
import { withRunning } from "../../core/reports/statement.ts";
import { STATEMENT_CSV_HEADER, statementCsvRecord } from "../../core/reports/statement-csv.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { holdRows } from "../../store/reports/held-rows.ts";
import { type StatementLine, selectStatementLines } from "../../store/reports/statement-lines.ts";
import { type Export, type ExportPlaces, openExport } from "./open-export.ts";
import { readBounds } from "./read-statement.ts";
import { projectsInScope, type ReportScope } from "./report-scope.ts";

/** Every line of a period with the running balance, as one CSV file of one snapshot. */
export async function exportStatement(
  { db, places }: { readonly db: Database; readonly places: ExportPlaces },
  scope: ReportScope,
  { filter }: Pick<StatementQuestion, "filter">,
): Promise<Result<Export, "not_found" | "busy">> {
  const projects = projectsInScope(scope, filter.projectId);
  if (!projects.ok) return fail(projects.error);
  let standing: Standing | undefined;
  const opened = await openExport<StatementLine>(
    places,
    () =>
      holdRows(
        db,
        async (tx) => {
          const { opening, lineCount } = await readBounds(tx, filter, undefined);
          standing = opening;
          return lineCount;
        },
        selectStatementLines(filter),
      ),
    {
      header: STATEMENT_CSV_HEADER,
      lineOf: (row) => {
        if (standing === undefined) throw new Error("a statement's lines come after its opening balance");
        const [line] = withRunning(standing, [row]);
        if (line === undefined) throw new Error("a line became none");
        standing = line.after;
        return statementCsvRecord(filter.currency, line);
      },
    },
  );
  return opened === undefined ? fail("busy") : ok(opened);
}
