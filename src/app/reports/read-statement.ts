import { type Minor, ZERO } from "../../core/money.ts";
import {
  addStanding,
  type Standing,
  type StatementFilter,
  type StatementQuestion,
  subtractStanding,
  withRunning,
} from "../../core/reports/statement.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import {
  type ChangesSince,
  listStatementLines,
  type StatementLine,
  sumChangesSince,
} from "../../store/reports/statement-lines.ts";
import { projectsInScope, type ReportScope, type ScopeProject } from "./report-scope.ts";

export type RunningLine = StatementLine & { readonly change: Standing; readonly after: Standing };

export type StatementPage = {
  readonly project: ScopeProject;
  readonly opening: Standing;
  readonly closing: Standing;
  /** Of the whole period. */
  readonly lineCount: number;
  readonly lines: readonly RunningLine[];
  readonly next: string | undefined;
};

const PAGE_LINES = 100;

/** A page of a statement, with the balances before and after its period, in one snapshot. */
export async function readStatement(
  db: Database,
  scope: ReportScope,
  { filter, after }: StatementQuestion,
): Promise<Result<StatementPage, "not_found">> {
  const projects = projectsInScope(scope, filter.projectId);
  const project = projects.ok ? projects.value[0] : undefined;
  if (project === undefined) return fail("not_found");
  return db.transaction(async (tx) => {
    const [bounds, found] = await Promise.all([
      readBounds(tx, filter, after),
      listStatementLines(tx, filter, { after, limit: PAGE_LINES + 1 }),
    ]);
    const lines = withRunning(bounds.beforePage, found.slice(0, PAGE_LINES));
    const next = found.length > PAGE_LINES ? lines.at(-1)?.id : undefined;
    const { opening, closing, lineCount } = bounds;
    return ok({ project, opening, closing, lineCount, lines, next });
  }, "snapshot");
}

export type StatementBounds = {
  readonly opening: Standing;
  readonly closing: Standing;
  /** What there was before the page's first line. */
  readonly beforePage: Standing;
  readonly lineCount: number;
};

/**
 * Counted back from what the balance is now, in the same snapshot: most people ask for the last days, and what came before
 * them, however much, is then not read.
 */
export async function readBounds(
  tx: Transaction,
  filter: StatementFilter,
  after: StatementQuestion["after"],
): Promise<StatementBounds> {
  const [balances, changes] = await Promise.all([
    listBalances(tx, [filter.projectId]),
    sumChangesSince(tx, filter, after),
  ]);
  const now: Standing = balances.find(({ currency }) => currency === filter.currency) ?? NOTHING;
  const [before, rest, later] = [partOf(changes, "before"), partOf(changes, "rest"), partOf(changes, "later")];
  const closing = subtractStanding(now, later);
  const opening = subtractStanding(closing, addStanding(before, rest));
  return { opening, closing, beforePage: addStanding(opening, before), lineCount: before.count + rest.count };
}

const NOTHING = { count: 0, available: ZERO, locked: ZERO };

function partOf(changes: readonly ChangesSince[], part: ChangesSince["part"]): Standing & { readonly count: number } {
  return changes.find((each) => each.part === part) ?? NOTHING;
}

/** What a balance is worth: both of its accounts. */
export function totalOf({ available, locked }: Standing): Minor {
  return (available + locked) as Minor;
}
