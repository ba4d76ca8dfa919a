import type { PaymentQuestion } from "../../core/reports/payment-filter.ts";
import { PAYMENTS_CSV_HEADER, paymentCsvRecord } from "../../core/reports/payments-csv.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { holdRows } from "../../store/reports/held-rows.ts";
import { type ListedPayment, selectFilteredPayments, sumFilteredPayments } from "../../store/reports/list-payments.ts";
import { type Export, type ExportPlaces, openExport } from "./open-export.ts";
import { idsOf, projectOf, projectsInScope, type ReportScope } from "./report-scope.ts";

/** Every payment that a filter means, as one CSV file of one snapshot. */
export async function exportPayments(
  { db, places }: { readonly db: Database; readonly places: ExportPlaces },
  scope: ReportScope,
  { filter, sort }: Omit<PaymentQuestion, "after">,
): Promise<Result<Export, "not_found" | "busy">> {
  const projects = projectsInScope(scope, filter.projectId);
  if (!projects.ok) return fail(projects.error);
  const ids = idsOf(projects.value);
  const opened = await openExport<ListedPayment>(
    places,
    () =>
      holdRows(
        db,
        async (tx) => (await sumFilteredPayments(tx, ids, filter)).reduce((lines, { count }) => lines + count, 0),
        selectFilteredPayments(ids, filter, sort),
      ),
    {
      header: PAYMENTS_CSV_HEADER,
      lineOf: (row) => paymentCsvRecord({ ...row, project: projectOf(projects.value, row) }),
    },
  );
  return opened === undefined ? fail("busy") : ok(opened);
}
