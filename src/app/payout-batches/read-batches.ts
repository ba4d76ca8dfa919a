import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { LimitExceeded } from "../../core/payout-batches/approval-rule.ts";
import { BATCH_ROW_STATES, type BatchRowState } from "../../core/payout-batches/batch-states.ts";
import { RESULTS_CSV_HEADER, resultCsvRecord } from "../../core/payout-batches/results-csv.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database } from "../../store/db.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { type BatchSum, sumBatchRows } from "../../store/payout-batches/batch-rows.ts";
import {
  findShownBatch,
  listBatches,
  listShownRows,
  type ShownBatch,
  type ShownRow,
  selectRows,
} from "../../store/payout-batches/read-batches.ts";
import { listTeamAddresses } from "../../store/payout-batches/team-addresses.ts";
import { holdRows } from "../../store/reports/held-rows.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { type Export, type ExportPlaces, openExport } from "../reports/open-export.ts";
import { idsOf, projectsInScope, type ReportScope } from "../reports/report-scope.ts";
import { findExceededOf, mayApprove } from "./confirm-batch.ts";

/** What a batch adds up to, in one currency. */
type BatchTotal = {
  readonly currency: Currency;
  readonly count: number;
  readonly amount: bigint;
  readonly fee: bigint;
};
type BatchProgress = Readonly<Record<BatchRowState, number>>;
export type ListedBatch = ShownBatch & { readonly totals: readonly BatchTotal[]; readonly progress: BatchProgress };

const BATCHES_OF_PAGE = 20;
const ROWS_OF_PAGE = 50;

/** A page of batches with their totals, in one snapshot. */
export function listBatchesInScope(
  db: Database,
  scope: ReportScope,
  asked: { readonly projectId: Id | undefined; readonly reader: Id; readonly below: Id | undefined },
): Promise<Result<{ readonly batches: readonly ListedBatch[]; readonly next: Id | undefined }, "not_found">> {
  return readReport(db, async (tx) => {
    const projects = projectsInScope(scope, asked.projectId);
    if (!projects.ok) return projects;
    const { reader, below } = asked;
    const found = await listBatches(tx, {
      projectIds: idsOf(projects.value),
      reader,
      below,
      limit: BATCHES_OF_PAGE + 1,
    });
    const page = found.slice(0, BATCHES_OF_PAGE);
    const sums = await sumBatchRows(tx, page);
    const next = found.length > BATCHES_OF_PAGE ? page.at(-1)?.id : undefined;
    return ok({ batches: page.map((batch) => withTotals(batch, sums)), next });
  });
}

export type BatchView = {
  readonly batch: ListedBatch;
  readonly rows: readonly ShownRow[];
  /** The line after which the next page begins. */
  readonly next: number | undefined;
  /** What the project has of the currencies of the batch, now. */
  readonly available: readonly { readonly currency: Currency; readonly amount: bigint }[];
  /** Of a draft: the limits that it exceeds, so that a second person is needed. */
  readonly exceeded: readonly LimitExceeded[];
  /** How many people may approve it. */
  readonly approverCount: number;
};

/** One batch and a page of its rows, in one snapshot. */
export function viewBatch(
  db: Database,
  scope: ReportScope,
  asked: { readonly id: Id; readonly state: BatchRowState | undefined; readonly above: number; readonly now: Date },
): Promise<Result<BatchView, "not_found">> {
  return readReport(db, async (tx) => {
    const batch = await findShownBatch(tx, idsOf(scope.projects), asked.id);
    if (batch === undefined) return fail("not_found");
    const { state, above, now } = asked;
    const found = await listShownRows(tx, batch, { state, above, limit: ROWS_OF_PAGE + 1 });
    const listed = withTotals(batch, await sumBatchRows(tx, [batch]));
    const balances = await listBalances(tx, [batch.projectId]);
    const team = await listTeamAddresses(tx, batch.merchantId);
    const rows = found.slice(0, ROWS_OF_PAGE);
    return ok({
      batch: listed,
      rows,
      next: found.length > ROWS_OF_PAGE ? rows.at(-1)?.line : undefined,
      available: listed.totals.map(({ currency }) => ({
        currency,
        amount: balances.find((balance) => balance.currency === currency)?.available ?? 0n,
      })),
      exceeded: batch.state === "checked" ? (await findExceededOf(tx, batch, now)).exceeded : [],
      approverCount: team.filter((person) => mayApprove(person, batch.author)).length,
    });
  });
}

/** Each row's result as one CSV file of one snapshot. */
export async function exportResults(
  { db, places }: { readonly db: Database; readonly places: ExportPlaces },
  scope: ReportScope,
  id: Id,
): Promise<Result<Export, "not_found" | "busy">> {
  const batch = await findShownBatch(db, idsOf(scope.projects), id);
  if (batch === undefined) return fail("not_found");
  const opened = await openExport<ShownRow>(
    places,
    scope,
    () => holdRows(db, async () => batch.rowCount, selectRows(batch)),
    { header: RESULTS_CSV_HEADER, lineOf: resultCsvRecord },
  );
  return opened === undefined ? fail("busy") : ok(opened);
}

function withTotals(batch: ShownBatch, all: readonly BatchSum[]): ListedBatch {
  const sums = all.filter(({ batchId }) => batchId === batch.id);
  const countOf = (state: BatchRowState) =>
    sums.reduce((count, sum) => (sum.state === state ? count + sum.count : count), 0);
  const currencies = [...new Set(sums.map(({ currency }) => currency))];
  return {
    ...batch,
    totals: currencies.map((currency) => {
      const own = sums.filter((sum) => sum.currency === currency);
      return {
        currency,
        count: own.reduce((sum, { count }) => sum + count, 0),
        amount: own.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
        fee: own.reduce((sum, { fee }) => sum + BigInt(fee), 0n),
      };
    }),
    progress: Object.fromEntries(BATCH_ROW_STATES.map((state) => [state, countOf(state)])) as BatchProgress,
  };
}
