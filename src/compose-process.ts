import type { FastifyInstance } from "fastify";
import { buildServer } from "./api/server.ts";
import { openApplyPayments } from "./app/apply-payments.ts";
import { countProcesses } from "./app/count-processes.ts";
import { openCreatePayments } from "./app/create-payments.ts";
import { keepStatisticsFresh } from "./app/fresh-statistics.ts";
import { openBalanceReader } from "./app/read-balances.ts";
import { openReadiness } from "./app/readiness.ts";
import { openTakeNotification } from "./app/take-notification.ts";
import { watchDirectory } from "./app/watch-directory.ts";
import { readSandbox, runSandbox } from "./compose-sandbox.ts";
import type { Config } from "./config.ts";
import { openRegistry, type Registry } from "./connectors/registry.ts";
import { systemClock } from "./platform/clock.ts";
import type { Log } from "./platform/log.ts";
import { type Metrics, openMetrics } from "./platform/metrics.ts";
import type { LogRequest } from "./platform/request-log.ts";
import type { Keyring } from "./platform/secrets.ts";
import { openTokenBuckets } from "./platform/token-buckets.ts";
import type { SandboxConnection } from "./sandbox/database.ts";
import type { Database } from "./store/db.ts";
import type { ProcessRole } from "./store/processes.ts";
import { startWorker, type Worker } from "./worker/runner.ts";

/** What every part of a process is made from. */
export type Parts = {
  readonly config: Config;
  readonly role: ProcessRole;
  readonly db: Database;
  readonly keyring: Keyring;
  readonly log: Log;
  readonly logRequest: LogRequest;
  readonly isDraining: () => boolean;
};

export type ComposedProcess = {
  readonly server: FastifyInstance;
  /** Begins to work on payments, where that is this process's part; called once the server's address is known. */
  readonly startWork: (localUrl: string) => Promise<Worker | undefined>;
};

const BUCKETS_MAX = 100_000;

export async function composeProcess(
  parts: Parts,
  sandboxConnection: SandboxConnection | undefined,
  closers: (() => Promise<unknown>)[],
): Promise<ComposedProcess> {
  const { config, role, db, keyring, log, isDraining } = parts;
  const directory = await watchDirectory({ db, keyring, log });
  closers.push(directory.close);
  const processes = await countProcesses({ db, log, role });
  closers.push(processes.close);
  closers.push(keepStatisticsFresh({ db, log }).close);
  const { registry, notifyAt } = await composeConnectors(parts, sandboxConnection, closers);
  const apply = openApplyPayments(db);
  const metrics = openMetrics();
  let worker: Worker | undefined;
  addGauges(metrics, { db, directory, processes, worker: () => worker });

  const server = buildServer({
    ...parts,
    metrics,
    directory,
    isDraining,
    apply,
    mode: config.mode,
    servesMerchants: role !== "worker",
    clock: systemClock,
    creates: openCreatePayments(db),
    providerCodes: new Set(registry.list().map((connector) => connector.code)),
    findConnector: registry.find,
    takeNotification: openTakeNotification(db),
    readBalances: openBalanceReader(db),
    readiness: openReadiness(db, directory.ageMs),
    liveProcesses: processes.live,
    signatureWindowS: config.signatureWindowS,
    failuresByAddress: openTokenBuckets(BUCKETS_MAX),
    failureLimit: { perSecond: config.authFailuresPerSecond, burst: config.authFailuresBurst },
    callsByProject: openTokenBuckets(BUCKETS_MAX),
    metricsAllow: config.metricsAllow,
    trustedProxies: config.trustedProxies,
  });
  const startWork = async (localUrl: string) => {
    if (role === "api") return undefined;
    await notifyAt(`${localUrl}/provider/sandbox/notifications`);
    worker = startWorker({
      ...{ db, apply, keyring, log, clock: systemClock },
      currentDirectory: directory.current,
      findConnector: registry.find,
    });
    return worker;
  };
  return { server, startWork };
}

type Connectors = { readonly registry: Registry; readonly notifyAt: (url: string) => Promise<void> };

async function composeConnectors(
  parts: Parts,
  sandboxConnection: SandboxConnection | undefined,
  closers: (() => Promise<unknown>)[],
): Promise<Connectors> {
  if (sandboxConnection === undefined) return { registry: openRegistry([]), notifyAt: async () => undefined };
  if (parts.role === "api") {
    const connector = readSandbox(parts.keyring);
    closers.push(connector.close);
    return { registry: openRegistry([connector]), notifyAt: async () => undefined };
  }
  const sandbox = await runSandbox(parts, sandboxConnection);
  closers.push(sandbox.close);
  return { registry: openRegistry([sandbox.connector]), notifyAt: sandbox.notifyAt };
}

type Watched = {
  readonly db: Database;
  readonly directory: { readonly version: () => number };
  readonly processes: { readonly live: () => number };
  readonly worker: () => Worker | undefined;
};

function addGauges(metrics: Metrics, { db, directory, processes, worker }: Watched): void {
  metrics.gauge("tillgate_database_connections", "Open database connections", () => db.stats().total);
  metrics.gauge("tillgate_database_waiting", "Requests that wait for a database connection", () => db.stats().waiting);
  metrics.gauge("tillgate_directory_version", "Version of the directory that this process uses", directory.version);
  metrics.gauge("tillgate_processes", "Live processes that share each rate limit", processes.live);
  metrics.gauge(
    "tillgate_worker_in_flight",
    "Payments that this process works on now",
    () => worker()?.inFlight() ?? 0,
  );
  metrics.gauge("tillgate_worker_looks", "Looks at payments since the start", () => worker()?.done() ?? 0);
}
