// Starts the real service, as a person would, on a data directory of its own.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSeconds, familyCpuSeconds, rssMb } from "./cpu.mjs";
import { sleep } from "./http.mjs";

const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
/** Of postmaster.pid. */
const PID_LINE = 0;
const SOCKET_LINE = 4;

/** With a `stateDir` it goes on where an earlier service, stopped with `keepData`, left off. */
export async function startService({ stateDir = newStateDir(), ...options } = {}) {
  const started = await startProcess(stateDir, options);
  const beside = new Set();
  return {
    ...started,
    database: databaseIn(stateDir),
    postmasterPid: postmasterIn(stateDir),
    /** The service's own processes, for what measures them; one that runs beside it is added and taken away. */
    processes: () => [started.pid, ...beside],
    beside,
    /** Processor time so far. */
    cpu: () => ({ service: started.cpuSeconds(), postgres: familyCpuSeconds(postmasterIn(stateDir)) }),
  };
}

/** The server counts statements from its second start on, which costs a little time of each. */
export async function startCountingService(options) {
  const first = await startService(options);
  await first.stop({ keepData: true });
  appendFileSync(join(first.stateDir, "postgres/data/postgresql.conf"), COUNT_STATEMENTS);
  return startService({ ...options, stateDir: first.stateDir });
}

const COUNT_STATEMENTS = "\nshared_preload_libraries = 'pg_stat_statements'\n";

/** Another process on the first one's database, as in a cluster. It must be stopped before the first. */
export async function startBeside({ stateDir, database, beside }, options) {
  const { host, port, user } = database;
  const urlOf = (name) => `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  const env = {
    DATABASE_URL: urlOf("tillgate"),
    TILLGATE_SANDBOX_DATABASE_URL: urlOf("tillgate_sandbox"),
    TILLGATE_MASTER_KEY: readFileSync(join(stateDir, "master.key"), "utf8").trim(),
  };
  const other = await startProcess(newStateDir(), { ...options, env: { ...env, ...options.env } });
  beside.add(other.pid);
  const stop = () => {
    beside.delete(other.pid);
    return other.stop();
  };
  return { ...other, stop };
}

/** How each process that runs is stopped. */
const running = new Set();

/** For a run that is broken off: nothing is left behind. A process that runs beside another one is stopped before it. */
export async function stopAllServices() {
  for (const stop of [...running].reverse()) await stop();
}

async function startProcess(stateDir, { role = "all", env: extra = {}, nodeOptions = [] }) {
  const env = { ...process.env, TILLGATE_DATA_DIR: stateDir, PORT: "0", ...extra };
  // The log goes to a file, as it would in production: writing it is part of the work.
  const logFile = openSync(join(stateDir, "service.log"), "a");
  const startedMs = Date.now();
  const words = [...nodeOptions, PROGRAM, "start", "--role", role];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", logFile, "inherit"] });
  closeSync(logFile);
  const stop = async ({ keepData = false } = {}) => {
    running.delete(stop);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    }
    if (!keepData) rmSync(stateDir, { recursive: true, force: true });
  };
  running.add(stop);
  const sandbox = await sandboxFile(child, join(stateDir, "sandbox.json"), startedMs).catch(async (error) => {
    // Left running, it would keep the whole run from ending.
    await stop();
    throw error;
  });
  return {
    sandbox,
    stateDir,
    pid: child.pid,
    cpuSeconds: () => cpuSeconds(child.pid),
    /** Resident memory of the service's own process, in MB. */
    rssMb: () => rssMb(child.pid),
    cli: (...words) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: "utf8" });
      if (status !== 0) throw new Error(`tillgate ${words.join(" ")}: ${stderr}`);
      return stdout;
    },
    stop,
  };
}

function newStateDir() {
  const stateDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
  chmodSync(stateDir, 0o755);
  return stateDir;
}

/** How a program other than the service reaches the embedded server while the service runs. */
function databaseIn(stateDir) {
  return { host: pidFileLine(stateDir, SOCKET_LINE), port: 5432, user: "tillgate", database: "tillgate" };
}

function postmasterIn(stateDir) {
  return Number(pidFileLine(stateDir, PID_LINE));
}

function pidFileLine(stateDir, line) {
  return readFileSync(join(stateDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[line];
}

/** Written once the service is ready; an earlier service's may lie there until then. */
async function sandboxFile(child, path, startedMs) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error("the service did not start");
    const written = statSync(path, { throwIfNoEntry: false });
    if (written !== undefined && written.mtimeMs >= startedMs) return JSON.parse(readFileSync(path, "utf8"));
    await sleep(100);
  }
  throw new Error("the service did not start within a minute");
}
