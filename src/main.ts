import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import pino, { type DestinationStream } from "pino";
import { resolveMasterKeys } from "./app/processes/master-keys.ts";
import { openKeyring } from "./app/processes/open-keyring.ts";
import { type CliContext, CliFault, EXIT } from "./cli/kit/command.ts";
import { isForDevelopers, runCli } from "./cli/kit/run.ts";
import { type Config, embeddedDir, loadConfig } from "./config.ts";
import { SANDBOX_PROVIDER } from "./core/providers.ts";
import type { Result } from "./core/result.ts";
import { openStore, reasonOf } from "./open-store.ts";
import { inPortions } from "./platform/in-portions.ts";
import { readVersion } from "./platform/installed-files.ts";
import { openLog } from "./platform/log.ts";
import { humanLog } from "./platform/log-lines/human-log.ts";
import { openSandboxProcess } from "./sandbox/process/open-process.ts";
import type { Service } from "./service.ts";
import type { Database } from "./store/db.ts";
import { explainUnusable, schemaState } from "./store/migrate.ts";
import type { ProcessRole } from "./store/processes/processes.ts";

/** The entry: reads the configuration, and hands the words of the command line to the command that they name. */
export async function main(words: readonly string[], programName: string, baseDir: string): Promise<number> {
  if (["--version", "-v", "version"].includes(words[0] ?? "")) {
    process.stdout.write(`${readVersion()}\n`);
    return EXIT.done;
  }
  const loaded = loadSettings(words, baseDir);
  if (!loaded.ok) {
    process.stderr.write(
      `Tillgate cannot start with this configuration:\n${loaded.error.map((line) => `  - ${line}\n`).join("")}`,
    );
    return EXIT.usage;
  }
  // A reader that has seen enough, such as head, or a full disk: the command still ends properly.
  process.stdout.on("error", () => undefined);
  return runCli(contextOf(loaded.value, programName), words);
}

/** Help is given whatever the settings are; and a developer's command needs no database, only where the sandbox's keys are. */
function loadSettings(words: readonly string[], baseDir: string): ReturnType<typeof loadConfig> {
  if (wantsHelp(words)) return loadConfig({}, baseDir);
  const loaded = loadConfig(process.env, baseDir);
  const { TILLGATE_DATA_DIR } = process.env;
  return loaded.ok || !isForDevelopers(words) ? loaded : loadConfig({ TILLGATE_DATA_DIR }, baseDir);
}

function wantsHelp(words: readonly string[]): boolean {
  const [first] = words;
  return (
    first === undefined || ["help", "completion"].includes(first) || words.includes("--help") || words.includes("-h")
  );
}

function contextOf(config: Config, programName: string): CliContext {
  const withStore = async <T>(work: (db: Database) => Promise<T>): Promise<T> => {
    const store = await openStore(config, "visitor", { warn: () => undefined });
    if (!store.ok) throw new CliFault(store.error, EXIT.unavailable);
    try {
      return await work(store.value.db);
    } finally {
      await store.value.close();
    }
  };
  return {
    print: (text) => process.stdout.write(`${text}\n`),
    printError: (text) => process.stderr.write(`${text}\n`),
    showProgress: (text) => {
      // Back to the beginning of the line, and what was there is gone.
      if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text ?? ""}`);
    },
    readInput,
    withUncheckedDatabase: withStore,
    withDatabase: (work) => {
      requireDatabaseThere(config);
      return withStore(async (db) => {
        await requireCurrentSchema(db, config, programName);
        return work(db);
      });
    },
    openKeyring: async (db) => orFault(await openKeyring(db, orFault(resolveMasterKeys(config)))),
    masterKeys: () => orFault(resolveMasterKeys(config)),
    startService: (role) => runService(config, programName, role),
    findSandboxClock: async (db) => {
      // The sandbox is large, and of all commands one needs it: the others start in half the time without it.
      const { findSandboxClock } = await import("./compose-sandbox.ts");
      return findSandboxClock(db, async () => orFault(await openKeyring(db, orFault(resolveMasterKeys(config)))));
    },
    probeProvider: async (provider) => {
      const { probeProvider } = await import("./compose-providers.ts");
      return probeProvider(config.mode, provider);
    },
    openConnector: async (db, code) => {
      // As the sandbox: few commands need it.
      const keyring = orFault(await openKeyring(db, orFault(resolveMasterKeys(config))));
      if (code === SANDBOX_PROVIDER) {
        const { connector, close } = (await import("./compose-sandbox.ts")).reachSandbox({ db, keyring });
        return { ...connector, close };
      }
      const { openProviderOfCommand } = await import("./compose-providers.ts");
      try {
        const connector = await openProviderOfCommand(
          { config, db, keyring, log: openLog({ level: "error", destination: process.stderr }) },
          code,
        );
        if (connector !== undefined) return connector;
      } catch (error) {
        throw new CliFault(`${code} cannot be used as it is: ${reasonOf(error)}.`);
      }
      throw new CliFault(`There is no provider ${code} that an operator configured.`);
    },
    openAlertChannels: async () => {
      const { openAlertChannels } = await import("./compose-alerts.ts");
      const log = openLog({ level: "silent", destination: process.stderr });
      return openAlertChannels(config, () => config.publicUrl ?? `http://${config.host}:${config.port}`, log);
    },
    untilStopped: stopSignal,
    stateDir: config.stateDir,
    publicUrl: config.publicUrl ?? (config.mode === "development" ? `http://${config.host}:${config.port}` : undefined),
    actor: actorName(),
    developmentMode: config.mode === "development",
    embeddedDir: embeddedDir(config),
    programName,
  };
}

/** A command that looks something up must not create an empty database in the current directory. */
function requireDatabaseThere(config: Config): void {
  if (config.databaseUrl !== undefined || existsSync(join(config.stateDir, "postgres"))) return;
  throw new CliFault(
    `There is no database in ${config.stateDir}. Start the service first (npm start), or set DATABASE_URL or TILLGATE_DATA_DIR as it has them.`,
    EXIT.unavailable,
  );
}

function orFault<T>(result: Result<T, string>): T {
  if (!result.ok) throw new CliFault(result.error);
  return result.value;
}

/** In a container the uid often has no name. */
function actorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function requireCurrentSchema(db: Database, config: Config, programName: string): Promise<void> {
  const state = await schemaState(db);
  if (state.kind === "ahead" || state.kind === "other") throw new CliFault(explainUnusable(state, embeddedDir(config)));
  if (state.kind === "behind") throw new CliFault(`The database is not up to date. Run: ${programName} migrate`);
}

const STOP_WITHIN_MS = 9_500;

/** Runs until the process is told to stop. */
async function runService(config: Config, programName: string, role: ProcessRole): Promise<number> {
  const stopped = stopSignal();
  // Armed by the signal itself, since it may also come while the service is still starting.
  stopped.then(() => setTimeout(leave, STOP_WITHIN_MS).unref());
  const waiting = new AbortController();
  stopped.then(() => waiting.abort());
  const { destination, flush } = openDestination(config);
  const leave = () => {
    flush();
    process.stderr.write("Some work did not end in time, and was left.\n");
    process.exit(EXIT.refused);
  };
  // First of all, so that it is ready when the service is.
  const sandboxHost = hasSandbox(config, role) ? openSandboxProcess(withoutSecrets(process.env)) : undefined;
  // Loaded here, because it takes half a second that no other command should wait for.
  const { startService } = await import("./service.ts");
  const started = await startService(config, destination, role, sandboxHost, waiting.signal);
  if (!started.ok) {
    flush();
    process.stderr.write(`${started.error}\n`);
    return waiting.signal.aborted ? EXIT.done : EXIT.refused;
  }
  const { stop } = started.value;
  process.stdout.write(config.mode === "development" ? welcome(started.value, programName) : "");
  const log = openLog({ level: config.logLevel, destination });
  log.info({ signal: await stopped }, "stopping");
  await stop();
  log.info("stopped");
  flush();
  return EXIT.done;
}

/** An embedded database always has one beside it for the sandbox. */
function hasSandbox({ databaseUrl, sandboxDatabaseUrl }: Config, role: ProcessRole): boolean {
  return role !== "api" && (databaseUrl === undefined || sandboxDatabaseUrl !== undefined);
}

/** The sandbox is a foreign system: our settings, with the master key among them, are not for it. */
function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^TILLGATE_|^DATABASE_/.test(name)));
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    // The listener stays: Ctrl-C reaches us from the terminal and again from npm, and the second must not kill us.
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => resolve(signal));
  });
}

/** Lines for a person at a terminal; else JSON, written in portions. */
function openDestination(config: Config): { destination: DestinationStream; flush: () => void } {
  if (config.mode === "development" && process.stdout.isTTY) {
    return { destination: humanLog((text) => process.stdout.write(text)), flush: () => undefined };
  }
  const stdout = pino.destination({ dest: 1, sync: false });
  // Where the log cannot be written, the service goes on without it.
  stdout.on("error", () => undefined);
  const portions = inPortions((text) => stdout.write(text));
  const flush = () => {
    portions.flush();
    try {
      stdout.flushSync();
    } catch {
      // No reader is left for the message.
    }
  };
  process.on("uncaughtExceptionMonitor", flush);
  return { destination: portions, flush };
}

function welcome({ url, sandboxFile = "", sandboxLogin }: Service, programName: string): string {
  return `
Tillgate is running in development mode, with a sandbox merchant that has money.

  API          ${url}
  Documents    ${url}/docs
  Credentials  ${sandboxFile}
  Sandbox      ${url}/sandbox
  Account      ${url}/account
               ${sandboxLogin?.account_login} ${sandboxLogin?.account_password}

Try it from another terminal:

  ${programName} call /api/v1/balance/info
  ${programName} trigger payin.success

`;
}
