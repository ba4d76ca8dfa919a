import { groupBy } from "../../core/group-by.ts";
import { POOL_PROVIDER } from "../../core/providers.ts";
import type { Database } from "../../store/db.ts";
import type { LedgerRules } from "../../store/ledger/ledger-check.ts";
import { listConfiguredProviders } from "../../store/providers/providers.ts";
import { listOpenAttempts } from "../../store/restore/open-attempts.ts";
import { checkLedger, type LedgerReport } from "../ledger/check-ledger.ts";
import { type AskedAttempt, askProviders, isNews, type OpenLine } from "./ask-providers.ts";

/** A payout that an operator pays at a bank, as the restored database has it. */
type ManualPayout = {
  readonly requestId: string;
  readonly code: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly account: string | null;
  readonly exportedAt: Date | null;
  readonly exportedBy: string | null;
};

/** How far the statements of a receiving account are imported. */
type ImportedUntil = { readonly account: string; readonly lastBookedAt: Date | null };

/** What the pool reads: its tables are its own. */
export type PoolRestore = {
  readonly listManualPayouts: (db: Database) => Promise<ManualPayout[]>;
  readonly listImportedUntil: (db: Database) => Promise<ImportedUntil[]>;
};

type ProviderAnswers = {
  readonly provider: string;
  readonly asked: number;
  readonly unanswered: number;
  /** By what it said. */
  readonly answers: Readonly<Record<string, number>>;
};

export type RestoreReport = {
  /** The books are right, and every provider has answered for every open attempt. */
  readonly passed: boolean;
  readonly ledger: LedgerReport;
  readonly providers: readonly ProviderAnswers[];
  /** What providers know of payments, and this database does not. */
  readonly news: readonly AskedAttempt[];
  readonly manualPayouts: readonly ManualPayout[];
  readonly importedUntil: readonly ImportedUntil[];
  /** Providers whose registers must be compared, since only they know payments that this database has lost. */
  readonly registers: readonly string[];
};

export type CheckDeps = {
  readonly db: Database;
  readonly poolRules: LedgerRules;
  readonly pool: PoolRestore;
  readonly openLine: OpenLine;
  readonly onProgress: (asked: number) => void;
};

/** Proves what can be proved of a restored database. It changes no payment: what providers say the worker applies. */
export async function checkRestore(deps: CheckDeps): Promise<RestoreReport> {
  const { db, pool } = deps;
  const ledger = await checkLedger(db, deps.poolRules);
  // The pool is a part of this database, and has forgotten with it: the bank's statement is asked in its place.
  const attempts = (await listOpenAttempts(db)).filter(({ provider }) => provider !== POOL_PROVIDER);
  const asked = await askProviders(attempts, deps.openLine, deps.onProgress);
  const configured = await db.transaction((tx) => listConfiguredProviders(tx), "snapshot");
  return {
    passed: ledger.violations.length === 0 && asked.every(({ answer }) => answer !== "unknown"),
    ledger,
    providers: [...groupBy(asked, ({ provider }) => provider)].map(([provider, each]) => answersOf(provider, each)),
    news: asked.filter(isNews),
    manualPayouts: await pool.listManualPayouts(db),
    importedUntil: await pool.listImportedUntil(db),
    registers: configured.map(({ code }) => code),
  };
}

function answersOf(provider: string, asked: readonly AskedAttempt[]): ProviderAnswers {
  const groups = [...groupBy(asked, ({ answer }) => answer)].map(([answer, each]) => [answer, each.length] as const);
  const answers = Object.fromEntries(groups.sort(([one], [other]) => (one < other ? -1 : 1)));
  return { provider, asked: asked.length, unanswered: answers.unknown ?? 0, answers };
}
