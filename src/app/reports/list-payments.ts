import { type PaymentQuestion, writePlace } from "../../core/reports/payment-filter.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { type ListedPayment, listFilteredPayments, sumFilteredPayments } from "../../store/reports/list-payments.ts";
import { type Totals, totalsOf } from "./payment-totals.ts";
import { idsOf, projectOf, projectsInScope, type ReportScope, type ScopeProject } from "./report-scope.ts";

/** What a list shows of a payment, and what the page of one payment begins with. */
export type ListedPaymentView = Omit<ListedPayment, "method"> & { readonly method: string | null };

export type PaymentPage = {
  readonly rows: readonly (ListedPayment & { readonly project: ScopeProject })[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
  /** Of everything that the filter means, not of the page. */
  readonly totals: Totals;
};

const PAGE_ROWS = 50;

/** A page and the totals of its filter, in one snapshot. */
export async function listPaymentsInScope(
  db: Database,
  scope: ReportScope,
  { filter, sort, after }: PaymentQuestion,
): Promise<Result<PaymentPage, "not_found">> {
  const projects = projectsInScope(scope, filter.projectId);
  if (!projects.ok) return fail(projects.error);
  const ids = idsOf(projects.value);
  return db.transaction(async (tx) => {
    const [found, sums] = await Promise.all([
      // One more than a page shows whether there is a next one.
      listFilteredPayments(tx, ids, { filter, sort, after, limit: PAGE_ROWS + 1 }),
      sumFilteredPayments(tx, ids, filter),
    ]);
    const rows = found.slice(0, PAGE_ROWS).map((row) => ({ ...row, project: projectOf(projects.value, row) }));
    const last = rows.at(-1);
    const next = found.length > PAGE_ROWS && last !== undefined ? writePlace(last) : undefined;
    return ok({ rows, next, totals: totalsOf(projects.value, sums) });
  }, "snapshot");
}
