import { type AttentionFigures, readAttention, readAttentionFigures } from "./app/attention/read-attention.ts";
import { type CallbackFigures, readCallbackFigures } from "./app/callbacks/read-callback-figures.ts";
import type { DirectoryWatch } from "./app/merchants/watch-directory.ts";
import { addAttentionGauge } from "./app/metrics/attention-gauge.ts";
import { addDatabaseGauges } from "./app/metrics/database-gauges.ts";
import { FIGURES_KEPT_MS } from "./app/metrics/figures-kept.ts";
import { addLedgerGauges } from "./app/metrics/ledger-gauges.ts";
import type { CallLogFigures } from "./app/request-log/call-log.ts";
import { systemClock } from "./platform/clock.ts";
import { readVersion } from "./platform/installed-files.ts";
import { keepFor } from "./platform/keep-for.ts";
import type { LabelledFigure, Metrics } from "./platform/metrics.ts";
import { POOL_ATTENTION } from "./pool/app/pool-attention.ts";
import { countPoolRoom } from "./pool/store/pool-room.ts";
import type { Database } from "./store/db.ts";
import type { ProcessRole } from "./store/processes/processes.ts";
import { listProviderBalances } from "./store/providers/provider-balances.ts";
import { listBalanceAges } from "./store/providers/provider-readings.ts";
import type { BatchMaker } from "./worker/batch-maker.ts";
import type { CallbackRunner } from "./worker/callbacks/callback-runner.ts";
import type { ChoiceWatch } from "./worker/choice-watch.ts";
import type { ProviderWatch } from "./worker/provider-watch.ts";
import type { Worker } from "./worker/runner.ts";

export type Work = {
  readonly payments: Worker;
  readonly callbacks: CallbackRunner;
  readonly batches: BatchMaker;
  readonly choices: ChoiceWatch;
  readonly providers: ProviderWatch;
};

export type Watched = {
  readonly db: Database;
  readonly role: ProcessRole;
  readonly directory: Pick<DirectoryWatch, "version" | "peek">;
  readonly processes: { readonly live: () => number };
  readonly work: () => Work | undefined;
  readonly requestLog: () => CallLogFigures;
};

/** All metrics of this process. */
export function addGauges(metrics: Metrics, watched: Watched): void {
  addProcessGauges(metrics, watched);
  addAttentionGauges(metrics, watched.db);
  addCallbackGauges(metrics, watched.db);
  addProviderGauges(metrics, watched.db);
  addRestoreGauge(metrics, watched.directory);
  addRequestLogGauges(metrics, watched.requestLog);
  addDatabaseGauges(metrics, watched.db, systemClock.nowMs);
  addLedgerGauges(metrics, watched.db);
  addPoolGauge(metrics, watched.db);
  addAttentionGauge(metrics, () => readAttention(watched.db, POOL_ATTENTION));
}

/** As this process knows it. */
function addRestoreGauge({ gauge }: Metrics, { peek }: Watched["directory"]): void {
  const help = "1 while a restored backup is not resumed";
  gauge("tillgate_restore_open", help, () => (peek().pauses.restored ? 1 : 0));
}

function addRequestLogGauges({ gauge }: Metrics, read: () => CallLogFigures): void {
  gauge("tillgate_request_log_written", "Calls written to the request log since the start", () => read().written);
  gauge("tillgate_request_log_dropped", "Calls that could not be kept since the start", () => read().dropped);
  gauge("tillgate_request_log_waiting", "Calls that are not written yet", () => read().waiting);
  gauge("tillgate_request_log_flush_seconds", "How long the last writing took", () => read().flushSeconds);
}

function addProcessGauges(metrics: Metrics, watched: Watched): void {
  const { db, directory, processes, work, role } = watched;
  const version = readVersion();
  const { gauge } = metrics;
  metrics.gauges("tillgate_build_info", "1; which program runs as what", ["version", "role"], async () => [
    { labels: { version, role }, value: 1 },
  ]);
  const payments = () => work()?.payments;
  const callbacks = () => work()?.callbacks.figures();
  gauge("tillgate_database_connections", "Open database connections", () => db.stats().total);
  gauge("tillgate_database_waiting", "Requests that wait for a database connection", () => db.stats().waiting);
  gauge("tillgate_directory_version", "Version of the directory that this process uses", directory.version);
  gauge("tillgate_processes", "Live processes that share each rate limit", processes.live);
  gauge("tillgate_worker_in_flight", "Payments worked on now", () => payments()?.inFlight() ?? 0);
  gauge("tillgate_worker_looks", "Looks at payments since the start", () => payments()?.done() ?? 0);
  gauge("tillgate_callbacks_in_flight", "Callbacks being sent now", () => callbacks()?.inFlight ?? 0);
  gauge("tillgate_callbacks_delivered", "Callbacks delivered since the start", () => callbacks()?.delivered ?? 0);
  gauge("tillgate_callbacks_failed", "Attempts that failed since the start", () => callbacks()?.failed ?? 0);
  gauge("tillgate_callback_breakers_open", "Endpoints that are held back", () => callbacks()?.openBreakers ?? 0);
}

/** What a person should look at; `tillgate attention` tells the same in words. */
function addAttentionGauges(metrics: Metrics, db: Database): void {
  const read = keepFor(FIGURES_KEPT_MS, () => readAttentionFigures(db));
  const one = (name: string, help: string, pick: (figures: AttentionFigures) => number) =>
    metrics.gauges(name, help, [], async () => [{ labels: {}, value: pick(await read()) }]);
  const many = (
    name: string,
    help: string,
    labels: readonly string[],
    pick: (figures: AttentionFigures) => LabelledFigure[],
  ) => metrics.gauges(name, help, labels, async () => pick(await read()));

  one("tillgate_payments_unknown", "Payments whose outcome no provider has told", (figures) => figures.unknownCount);
  one("tillgate_payments_unknown_oldest_seconds", "Age of the oldest of them", (figures) => figures.oldestUnknownS);
  one("tillgate_payments_overdue", "Payments due for over a minute", (figures) => figures.overdueCount);
  one("tillgate_payments_due_oldest_seconds", "How long the oldest due one waits", (figures) => figures.oldestDueS);
  many("tillgate_disputes", "Payments in dispute, by state", ["state"], ({ disputesByState }) =>
    disputesByState.map(({ state, count }) => ({ labels: { state }, value: count })),
  );
  many("tillgate_disputes_oldest_seconds", "Age of the oldest dispute, by state", ["state"], ({ disputesByState }) =>
    disputesByState.map(({ state, oldestS }) => ({ labels: { state }, value: oldestS })),
  );
  many("tillgate_suspense_minor", "Money in suspense, in minor units", ["book", "currency"], ({ suspenseByCurrency }) =>
    suspenseByCurrency.map(({ book, currency, amount }) => ({ labels: { book, currency }, value: Number(amount) })),
  );
}

function addCallbackGauges(metrics: Metrics, db: Database): void {
  const read = keepFor(FIGURES_KEPT_MS, () => readCallbackFigures(db));
  const one = (name: string, help: string, pick: (figures: CallbackFigures) => number) =>
    metrics.gauges(name, help, [], async () => [{ labels: {}, value: pick(await read()) }]);
  one("tillgate_callbacks_due", "Callbacks that are due now", (figures) => figures.due);
  one("tillgate_callbacks_held", "Callbacks whose URL said that it is gone", (figures) => figures.held);
  one("tillgate_callbacks_dead", "Callbacks that were given up", (figures) => figures.dead);
  one("tillgate_callbacks_due_oldest_seconds", "How long the oldest due one waits", (figures) => figures.oldestDueS);
  one("tillgate_callbacks_oldest_seconds", "Age of the oldest undelivered one", (figures) => figures.oldestPendingS);
}

/** What room the receiving accounts have for more payers. */
function addPoolGauge({ gauges }: Metrics, db: Database): void {
  const read = keepFor(FIGURES_KEPT_MS, () => countPoolRoom(db));
  const labels = ["book", "currency", "method", "room"];
  gauges("tillgate_pool_requisites", "Requisites of own accounts, by room for payers", labels, async () =>
    (await read()).map(({ count, ...figures }) => ({ labels: figures, value: count })),
  );
}

/** What we have at configured providers, as they last said, and how long ago that was. */
function addProviderGauges(metrics: Metrics, db: Database): void {
  const labels = ["provider", "currency"];
  const balances = keepFor(FIGURES_KEPT_MS, () => listProviderBalances(db));
  const ages = keepFor(FIGURES_KEPT_MS, () => listBalanceAges(db));
  metrics.gauges("tillgate_provider_balance_minor", "Available at a provider, in minor units", labels, async () =>
    (await balances()).map(({ provider, currency, amount }) => ({
      labels: { provider, currency },
      value: Number(amount),
    })),
  );
  metrics.gauges("tillgate_provider_locked_minor", "Locked at a provider, in minor units", labels, async () =>
    (await balances()).map(({ provider, currency, lockedAmount }) => ({
      labels: { provider, currency },
      value: Number(lockedAmount),
    })),
  );
  metrics.gauges("tillgate_provider_balance_age_seconds", "Since a balance was read", ["provider"], async () =>
    (await ages()).map(({ provider, ageS }) => ({ labels: { provider }, value: ageS })),
  );
}
