import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { SANDBOX_PAGES_PATH } from "./api/payer/sandbox-pages.ts";
import { type ApiDeps, buildServer } from "./api/server.ts";
import { ensureCallbackKey } from "./app/callbacks/callback-keys.ts";
import { openOutboxSlot } from "./app/callbacks/callback-outbox.ts";
import { openCallbackSigner } from "./app/callbacks/callback-signer.ts";
import type { CallbackTestDeps } from "./app/callbacks/test-callback.ts";
import { openCardDesk } from "./app/cards/charge-card.ts";
import { openBalanceReader } from "./app/ledger/read-balances.ts";
import { keepKeyNotices } from "./app/merchants/key-notices.ts";
import { type DirectoryWatch, watchDirectory } from "./app/merchants/watch-directory.ts";
import { openPaymentMetrics, type PaymentMetrics } from "./app/metrics/payment-metrics.ts";
import { openPageEvents } from "./app/page/page-events.ts";
import { openApplyPayments } from "./app/payments/apply-payments.ts";
import { openCreatePayments } from "./app/payments/create-payments.ts";
import { type HandOver, openHandingApply } from "./app/payments/hand-over.ts";
import { openShownPayments } from "./app/payments/show-payment.ts";
import { openTakeNotification } from "./app/payments/take-notification.ts";
import type { MakeDeps } from "./app/payout-batches/make-batches.ts";
import { openSendNotice } from "./app/people/notices.ts";
import { openPasswords } from "./app/people/passwords.ts";
import { countProcesses, type ProcessCount } from "./app/processes/count-processes.ts";
import { keepStatisticsFresh } from "./app/processes/fresh-statistics.ts";
import { openReadiness } from "./app/processes/readiness.ts";
import { addHealthGauges } from "./app/providers/health-gauges.ts";
import { openProviderHealth, type ProviderHealth } from "./app/providers/health-window.ts";
import { keepProviderHealth } from "./app/providers/keep-provider-health.ts";
import { openExportPlaces } from "./app/reports/open-export.ts";
import { type CallLog, openCallLog } from "./app/request-log/call-log.ts";
import { keepPulse } from "./app/restore/keep-pulse.ts";
import type { DeskDeps } from "./app/sandbox/desk/desk-deps.ts";
import { readSandboxFile, SANDBOX_FILE_NAME } from "./app/sandbox/sandbox-credentials.ts";
import { composeAlerts } from "./compose-alerts.ts";
import { addGauges, type Work } from "./compose-gauges.ts";
import { composeRegistry } from "./compose-providers.ts";
import { composeConnectors } from "./compose-sandbox.ts";
import type { Config } from "./config.ts";
import type { Registry } from "./connectors/registry.ts";
import type { Id } from "./core/ids.ts";
import { openReportsDatabase } from "./open-store.ts";
import { systemClock } from "./platform/clock.ts";
import { openFailureGate } from "./platform/failure-gate.ts";
import { openEgress } from "./platform/http-out/egress.ts";
import type { Log } from "./platform/log.ts";
import type { LogRequest } from "./platform/log-lines/request-log.ts";
import { openMailer } from "./platform/mail.ts";
import { type Metrics, openMetrics } from "./platform/metrics.ts";
import type { Keyring } from "./platform/secrets.ts";
import { openTokenBuckets } from "./platform/token-buckets.ts";
import type { SandboxConnection } from "./sandbox/database.ts";
import type { SandboxHost } from "./sandbox/start-sandbox.ts";
import type { Database } from "./store/db.ts";
import { findBankImage } from "./store/merchants/banks.ts";
import { findLogo } from "./store/merchants/projects.ts";
import { NEWER_SCHEMA } from "./store/migrate.ts";
import type { ProcessRole } from "./store/processes/processes.ts";
import { startBatchMaker } from "./worker/batch-maker.ts";
import { startCallbackRunner } from "./worker/callbacks/callback-runner.ts";
import { startChoiceWatch } from "./worker/choice-watch.ts";
import { startProviderWatch } from "./worker/provider-watch.ts";
import { startWorker, type WorkerDeps } from "./worker/runner.ts";

/** What every part of a process is made from. */
export type Parts = {
  readonly config: Config;
  readonly role: ProcessRole;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly logRequest: LogRequest;
  readonly isDraining: () => boolean;
  readonly startSandbox: SandboxHost["start"];
};

export type ComposedProcess = {
  readonly server: FastifyInstance;
  readonly directory: Pick<DirectoryWatch, "peek">;
  /**
   * Begins to work on payments and callbacks, where that is this process's part; called once the server's address is
   * known. Answers how to stop it.
   */
  readonly startWork: (localUrl: string) => Promise<() => Promise<void>>;
};

const BUCKETS_MAX = 100_000;

export async function composeProcess(
  parts: Parts,
  sandboxConnection: SandboxConnection | undefined,
  closers: (() => Promise<unknown>)[],
): Promise<ComposedProcess> {
  const { config, role, db, keyring, log, isDraining } = parts;
  // Before a merchant asks for the public key that callbacks will be verified with.
  await ensureCallbackKey(parts, "rsa", null);
  const processes = await composeHeartbeats(parts, closers);
  const directory = await watchDirectory({ db, keyring, log });
  closers.push(directory.close);
  let localUrl = "";
  const publicUrl = () => config.publicUrl ?? localUrl;
  const outside = await composeConnectors(parts, sandboxConnection, closers);
  const { connectors, sandboxPages, sandboxDesk, notifyAt } = outside;
  const metrics = openMetrics();
  const health = composeHealth(parts, processes, metrics, closers);
  const registry = composeRegistry({ ...parts, connectors, directory, publicUrl, health }, closers);
  const outbox = openOutboxSlot();
  const counted = openPaymentMetrics(metrics, (projectId) => directory.peek().projects.get(projectId)?.book);
  const apply = counted.apply(openApplyPayments(db, outbox));
  let work: Work | undefined;
  const handOver = { reserve: () => work?.payments.handOver.reserve() };
  const callLog = composeCallLog(parts, closers);
  addGauges(metrics, { db, role, directory, processes, work: () => work, requestLog: callLog?.figures ?? NO_FIGURES });

  const cardDesk = openCardDesk({
    ...{ db, keyring, log, apply, publicUrl, nowMs: systemClock.nowMs },
    findConnector: registry.find,
    currentDirectory: directory.current,
  });
  closers.push(cardDesk.drain);
  const making = { cardDesk, handOver, counted, currentDirectory: directory.current };
  const creating = composeCreating(parts, registry, making);
  const sending = composeSending(parts, directory, closers);
  const pageEvents = openPageEvents({ db, log });
  closers.push(pageEvents.close);
  const people = composePeople(parts, publicUrl, closers);
  composeAlerts(parts, { publicUrl, metrics }, closers);
  const server = buildServer({
    ...parts,
    ...creating,
    ...{ publicUrl, sandboxPages, pageEvents },
    ...composeDesk(parts, directory, { publicUrl, world: sandboxDesk }),
    wakeBatchMaker: () => work?.batches.wake(),
    ...{ reportsDb: openReportsDatabase(config, db, log, closers), exportPlaces: openExportPlaces() },
    ...{ ...people, ...sending },
    pagesByToken: openTokenBuckets(BUCKETS_MAX),
    findLogo: (projectId) => findLogo(db, projectId as Id),
    findBankImage: (bankId) => findBankImage(db, bankId),
    redirectUrlOf: ({ projectId, request }) =>
      request.redirectUrl ?? directory.peek().projects.get(projectId)?.redirectUrl ?? undefined,
    ...{ metrics, directory, isDraining, callLog },
    apply: openHandingApply(apply, handOver),
    ...{ mode: config.mode, operatorName: config.operatorName, servesMerchants: role !== "worker" },
    takeNotification: openTakeNotification(db, (hint) => work?.payments.takeHint(hint) ?? false),
    ...{ readBalances: openBalanceReader(db), readPayment: openShownPayments(db) },
    readiness: openReadiness(db, directory.ageMs, (schema) => log.info({ schema }, NEWER_SCHEMA)),
    ...{ liveProcesses: processes.live, signatureWindowS: config.signatureWindowS },
    ...composeLimits(config),
    ...{ metricsAllow: config.metricsAllow, trustedProxies: config.trustedProxies },
  });
  const startWork = async (listeningAt: string) => {
    localUrl = listeningAt;
    if (role === "api") return async () => undefined;
    await notifyAt(`${localUrl}/provider/sandbox/notifications`, `${publicUrl()}${SANDBOX_PAGES_PATH}`);
    const started = startRunners(parts, { directory, apply, publicUrl, creating, sending });
    work = started;
    outbox.fill(started.callbacks.outbox);
    const keyNotices = keepKeyNotices({ db, log, publicUrl, ...people });
    return async () => {
      await Promise.all([started.batches.stop(), started.choices.stop(), started.providers.stop()]);
      await Promise.all([started.payments.stop(), started.callbacks.stop(), keyNotices.close()]);
    };
  };
  return { server, directory, startWork };
}

/** How much callers may ask, how often they may fail, and how long they wait. */
function composeLimits({ authFailuresPerSecond: perSecond, authFailuresBurst: burst, requestDeadlineMs }: Config) {
  return {
    failures: openFailureGate(openTokenBuckets(BUCKETS_MAX)),
    failureLimit: { perSecond, burst },
    callsByProject: openTokenBuckets(BUCKETS_MAX),
    requestDeadlineMs,
  };
}

/** Before the directory is read, so that a restored database is known as one before anything is sent. */
async function composeHeartbeats({ db, log, role }: Parts, closers: (() => Promise<unknown>)[]): Promise<ProcessCount> {
  const processes = await countProcesses({ db, log, role });
  closers.push(processes.close, keepStatisticsFresh({ db, log }).close);
  closers.push((await keepPulse({ db, log, processId: processes.id })).close);
  return processes;
}

/** What this process sees of the providers that an operator configured. */
function composeHealth(
  { db, log }: Parts,
  { id: processId }: ProcessCount,
  metrics: Metrics,
  closers: (() => Promise<unknown>)[],
): ProviderHealth {
  const health = openProviderHealth();
  addHealthGauges(metrics, health);
  closers.push(keepProviderHealth({ db, log, processId, health }).close);
  return health;
}

/** The tester's desk, and the sandbox's own keys for its page in development. */
function composeDesk(
  { config, db, keyring }: Parts,
  { current: currentDirectory }: Pick<DirectoryWatch, "current">,
  parts: Pick<DeskDeps, "publicUrl" | "world">,
): Pick<ApiDeps, "desk" | "readSandboxFile"> {
  const { signatureWindowS } = config;
  return {
    desk: { ...parts, db, keyring, currentDirectory, signatureWindowS, clock: systemClock },
    readSandboxFile: () => readSandboxFile(join(config.stateDir, SANDBOX_FILE_NAME)),
  };
}

type CreatingParts = Pick<MakeDeps, "cardDesk" | "currentDirectory"> & {
  readonly handOver: HandOver;
  readonly counted: PaymentMetrics;
};

/** What payments are created with, by merchants' calls and by people. */
function composeCreating({ config, db, keyring, log }: Parts, registry: Registry, parts: CreatingParts): MakeDeps {
  const { cardDesk, currentDirectory, handOver, counted } = parts;
  return {
    ...{ db, keyring, log, cardDesk, currentDirectory, clock: systemClock },
    creates: counted.creates(openCreatePayments(db, handOver, config.requestDeadlineMs)),
    providerCodes: { has: (code) => registry.find(code) !== undefined },
    findConnector: registry.find,
  };
}

const NO_FIGURES = () => ({ written: 0, dropped: 0, waiting: 0, flushSeconds: 0 });

/** Closed after the server, so that it has every call, and before the database. */
function composeCallLog({ config, role, db, log }: Parts, closers: (() => Promise<unknown>)[]): CallLog | undefined {
  if (!config.requestLog || role === "worker") return undefined;
  const callLog = openCallLog({ db, log, nowMs: systemClock.nowMs });
  closers.push(callLog.close);
  return callLog;
}

/** What the account needs besides the rest: passwords, and e-mail where a server for it is set. */
function composePeople({ config, log }: Parts, publicUrl: () => string, closers: (() => Promise<unknown>)[]) {
  const { smtpUrl: url, mailFrom } = config;
  const from = () => mailFrom ?? `no-reply@${new URL(publicUrl()).hostname}`;
  const mailer = url === undefined ? undefined : openMailer({ url, from, log });
  if (mailer !== undefined) closers.push(mailer.close);
  return { passwords: openPasswords(), sendNotice: openSendNotice(mailer) };
}

/** What signs and sends callbacks: the runner's, and those that a person sends as a test. */
function composeSending(
  { config, db, keyring }: Parts,
  { current: currentDirectory }: Pick<DirectoryWatch, "current">,
  closers: (() => Promise<unknown>)[],
): CallbackTestDeps {
  const egress = openEgress({ mode: config.mode });
  closers.push(egress.close);
  return { egress, signCallback: openCallbackSigner({ db, keyring, currentDirectory, nowMs: systemClock.nowMs }) };
}

type RunnerParts = Pick<WorkerDeps, "apply"> & {
  readonly creating: MakeDeps;
  readonly directory: Pick<DirectoryWatch, "current" | "peek">;
  readonly publicUrl: () => string;
  readonly sending: CallbackTestDeps;
};

function startRunners(parts: Parts, { directory, apply, publicUrl, creating, sending }: RunnerParts): Work {
  const { db, keyring, log } = parts;
  const shared = { db, keyring, log, currentDirectory: directory.current };
  const { egress, signCallback: sign } = sending;
  return {
    payments: startWorker({ ...shared, apply, findConnector: creating.findConnector }),
    callbacks: startCallbackRunner({
      ...{ ...shared, clock: systemClock, egress, sign, publicUrl },
      isPaused: () => directory.peek().pauses.restored,
    }),
    batches: startBatchMaker(creating),
    choices: startChoiceWatch({ ...shared, apply, findConnector: creating.findConnector }),
    providers: startProviderWatch({ ...shared, findConnector: creating.findConnector }),
  };
}
