import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { DestinationStream } from "pino";
import { seedBanks } from "./app/merchants/seed-banks.ts";
import { resolveMasterKeys } from "./app/processes/master-keys.ts";
import { openKeyring } from "./app/processes/open-keyring.ts";
import { prepareSchema } from "./app/processes/prepare-schema.ts";
import { keepSandboxFile } from "./app/sandbox/keep-sandbox-file.ts";
import { ensureSandboxKeys, type SandboxKeys, writeSandboxFile } from "./app/sandbox/sandbox-credentials.ts";
import type { SandboxLogin } from "./app/sandbox/sandbox-login.ts";
import { type Sandbox, seedSandbox } from "./app/sandbox/seed-sandbox.ts";
import { composeProcess } from "./compose-process.ts";
import { type Config, embeddedDir } from "./config.ts";
import { fail, ok, type Result } from "./core/result.ts";
import { openStore, reasonOf } from "./open-store.ts";
import { type Log, openLog } from "./platform/log.ts";
import { type LogRequest, openRequestLog } from "./platform/log-lines/request-log.ts";
import type { Keyring } from "./platform/secrets.ts";
import type { SandboxHost } from "./sandbox/start-sandbox.ts";
import type { Database } from "./store/db.ts";
import { explainLack, isReadOnly, isUnavailable, lacksRight } from "./store/faults.ts";
import type { ProcessRole } from "./store/processes/processes.ts";

export type Service = {
  /** Where merchants reach it. */
  readonly url: string;
  /** Where this process itself listens. */
  readonly localUrl: string;
  /** Where the sandbox's credentials are; undefined in production. */
  readonly sandboxFile: string | undefined;
  /** Who signs in to the account of development mode. */
  readonly sandboxLogin: SandboxLogin | undefined;
  /** Takes no new requests, finishes those under way, and lets go of the database. */
  readonly stop: () => Promise<void>;
};

type StartCommand = {
  readonly config: Config;
  readonly role: ProcessRole;
  readonly sandboxHost: SandboxHost;
  readonly stop: AbortSignal | undefined;
};

/** For tests. Loaded when it is needed: a service whose sandbox is in another process never does. */
const SANDBOX_IN_THIS_PROCESS: SandboxHost = {
  start: async (options) => (await import("./sandbox/start-sandbox.ts")).startSandbox(options),
  close: async () => undefined,
};

/** Everything that runs, put together. The error is a sentence for the person who started it; then nothing is left running. */
export async function startService(
  config: Config,
  destination: DestinationStream,
  role: ProcessRole = "all",
  sandboxHost: SandboxHost = SANDBOX_IN_THIS_PROCESS,
  /** Ends the wait for a database that is away. */
  stop?: AbortSignal,
): Promise<Result<Service, string>> {
  const log = openLog({ level: config.logLevel, destination });
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.toReversed())
      await close().catch((error) => log.warn({ reason: reasonOf(error) }, "closing"));
  };
  try {
    const [enabled, probesToo] = [log.isLevelEnabled("info"), log.isLevelEnabled("debug")];
    const logRequest = openRequestLog({ enabled, probesToo, destination });
    const started = await compose({ config, role, sandboxHost, stop }, { log, logRequest }, closers, closeAll);
    if (!started.ok) await closeAll();
    return started;
  } catch (error) {
    await closeAll();
    const sentence = explainStartFault(error, config);
    if (sentence === undefined) throw error;
    return fail(sentence);
  }
}

type Logs = { readonly log: Log; readonly logRequest: LogRequest };

async function compose(
  command: StartCommand,
  logs: Logs,
  closers: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<Result<Service, string>> {
  const { config, role, sandboxHost } = command;
  closers.push(sandboxHost.close);
  const store = await openStore(config, "service", logs.log, command.stop);
  if (!store.ok) return store;
  closers.push(store.value.close);
  const { db, direct } = store.value;
  const prepared = await prepareSchema(direct, {
    migrates: config.migrates,
    dataDir: embeddedDir(config),
    log: logs.log,
    stop: command.stop,
  });
  if (!prepared.ok) return prepared;
  await seedBanks(db);
  const masters = resolveMasterKeys(config);
  if (!masters.ok) return masters;
  const opened = await openKeyring(db, masters.value);
  if (!opened.ok) return opened;
  const keyring = opened.value;
  // Before the directory is read, so that the keys work from the first request on.
  const sandbox = config.mode === "development" ? await prepareSandbox(config, db, keyring) : ok(undefined);
  if (!sandbox.ok) return sandbox;
  const seeded = sandbox.value;

  let draining = false;
  const parts = { ...logs, db, keyring, config, role, isDraining: () => draining, startSandbox: sandboxHost.start };
  const composed = await composeProcess(parts, await store.value.openSandboxDatabase(), closers);
  const { server, startWork } = composed;
  await server.listen({ port: config.port, host: config.host });
  const localUrl = listeningUrl(config.host, server);
  const stopWork = await startWork(localUrl);
  closers.push(() => Promise.all([drain(server), stopWork()]));

  const url = config.publicUrl ?? localUrl;
  const sandboxFile = seeded && writeSandboxFile(config.stateDir, seeded.ids, seeded.keys, url);
  if (seeded !== undefined) {
    const { ids } = seeded;
    const write = async () => {
      const keys = await ensureSandboxKeys({ db, keyring, stateDir: config.stateDir }, ids);
      writeSandboxFile(config.stateDir, ids, keys, url);
    };
    closers.push(
      keepSandboxFile({ peek: composed.directory.peek, projectId: ids.projectId, log: logs.log, write }).close,
    );
  }
  const stop = async () => {
    draining = true;
    await sleep(config.mode === "production" ? DRAIN_NOTICE_MS : 0);
    await closeAll();
  };
  logs.log.info({ url, listening: localUrl, mode: config.mode, role }, "ready");
  return ok({ url, localUrl, sandboxFile, sandboxLogin: seeded?.keys, stop });
}

/** While /readyz says so already, load balancers may still send: they get this long to notice. */
const DRAIN_NOTICE_MS = 1_000;
const SWEEP_EVERY_MS = 200;
/** Requests that are not done by then are cut off, so that the database is let go of in good order. */
const DRAIN_MAX_MS = 6_000;

async function drain(server: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_EVERY_MS);
  const cut = setTimeout(() => server.server.closeAllConnections(), DRAIN_MAX_MS);
  await server.close().finally(() => {
    clearInterval(sweep);
    clearTimeout(cut);
  });
}

type PreparedSandbox = { readonly ids: Sandbox; readonly keys: SandboxKeys };

async function prepareSandbox(
  config: Config,
  db: Database,
  keyring: Keyring,
): Promise<Result<PreparedSandbox, string>> {
  const seeded = await seedSandbox(db);
  if (!seeded.ok) {
    return fail(
      "This database has merchants of its own, so development mode does not put a sandbox into it. " +
        "Set TILLGATE_MODE=production, or give it another database.",
    );
  }
  const ids = seeded.value;
  return ok({ ids, keys: await ensureSandboxKeys({ db, keyring, stateDir: config.stateDir }, ids) });
}

function listeningUrl(host: string, server: FastifyInstance): string {
  const { port } = server.server.address() as AddressInfo;
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** The faults that an operator can fix, in one sentence each; undefined for bugs. */
function explainStartFault(error: unknown, config: Config): string | undefined {
  if (lacksRight(error)) return explainLack(error);
  if (isReadOnly(error)) return "The database is read-only: DATABASE_URL must lead to the primary server.";
  if (isUnavailable(error)) return `The database did not answer while the service was starting: ${reasonOf(error)}`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return `Port ${config.port} is taken by another program. Stop it, or choose another port: PORT=${config.port + 1} npm start`;
    case "EACCES":
      return `Port ${config.port} on ${config.host} may not be opened by this user. Choose one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `HOST=${config.host} is not an address of this machine.`;
    case "ENOSPC":
    case "53100":
      return "The disk is full.";
    default:
      return undefined;
  }
}
