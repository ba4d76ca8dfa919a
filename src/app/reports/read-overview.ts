import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { bucketsOf, type OverviewQuestion, type Series, seriesOf } from "../../core/reports/overview.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { type Balance, listBalances } from "../../store/ledger/balances.ts";
import { groupByHash } from "../../store/reports/group-by-hash.ts";
import {
  countDeadCallbacksOf,
  countDisabledUrls,
  countDisputes,
  countWaitingBatches,
  type ExpiringKey,
  listExpiringKeys,
  listNearLimits,
  type NearLimit,
  type ProjectCount,
} from "../../store/reports/merchant-attention.ts";
import { listPaymentFigures } from "../../store/reports/overview.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { idsOf, projectOf, projectsInScope, type ReportScope } from "./report-scope.ts";

/** What a person of a merchant sees first. */
export type Overview = {
  readonly balances: readonly (Balance & { readonly book: Book })[];
  readonly series: readonly Series[];
  readonly attention: Attention;
};

type Attention = {
  readonly disputes: readonly ProjectCount[];
  readonly deadCallbacks: readonly ProjectCount[];
  readonly disabledUrls: readonly ProjectCount[];
  readonly expiringKeys: readonly ExpiringKey[];
  readonly nearLimits: readonly NearLimit[];
  readonly waitingBatches: readonly ProjectCount[];
};

const KEYS_EXPIRE_WITHIN_DAYS = 14;
const LIMIT_IS_NEAR_FROM = 0.8;
const SECOND_MS = 1_000;
/** Of `2026-01-31` in an instant's text. */
const DAY_LENGTH = 10;

/** Balances, the figures of the last days, and what needs attention, in one snapshot. */
export async function readOverview(
  db: Database,
  scope: ReportScope,
  { projectId, days }: OverviewQuestion,
  now: Date,
): Promise<Result<Overview, "not_found">> {
  const projects = projectsInScope(scope, projectId);
  if (!projects.ok) return fail(projects.error);
  const ids = idsOf(projects.value);
  const buckets = bucketsOf(days, now);
  return readReport(db, async (tx) => {
    const [, balances, figures, attention] = await Promise.all([
      groupByHash(tx),
      listBalances(tx, ids),
      listPaymentFigures(tx, ids, { from: buckets.from, stepS: buckets.stepMs / SECOND_MS }),
      readMerchantAttention(tx, ids, now),
    ]);
    return ok({
      balances: balances.map((balance) => ({ ...balance, book: projectOf(projects.value, balance).book })),
      series: seriesOf(
        buckets,
        figures.map((row) => ({ ...row, book: projectOf(projects.value, row).book, volume: BigInt(row.volume) })),
      ),
      attention,
    });
  });
}

async function readMerchantAttention(tx: Transaction, ids: readonly Id[], now: Date): Promise<Attention> {
  const day = now.toISOString().slice(0, DAY_LENGTH);
  const [disputes, deadCallbacks, disabledUrls, expiringKeys, nearLimits, waitingBatches] = await Promise.all([
    countDisputes(tx, ids),
    countDeadCallbacksOf(tx, ids),
    countDisabledUrls(tx, ids),
    listExpiringKeys(tx, ids, KEYS_EXPIRE_WITHIN_DAYS),
    listNearLimits(tx, ids, { share: LIMIT_IS_NEAR_FROM, day }),
    countWaitingBatches(tx, ids),
  ]);
  return { disputes, deadCallbacks, disabledUrls, expiringKeys, nearLimits, waitingBatches };
}
