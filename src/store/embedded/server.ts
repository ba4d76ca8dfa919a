import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type Result } from "../../core/result.ts";
import { isRoot } from "./account.ts";
import { type Binaries, openBinaries } from "./binaries.ts";
import { childOptions, sharedMemorySettings } from "./children.ts";
import { connect, disconnect, SOCKET_PORT } from "./connect.ts";
import { ensureDataDirectory } from "./data-directory.ts";
import { cannotRun, explainOutput, isErrno } from "./faults.ts";
import { findPidFile, isSameRun, type PidFile, pidFilePath } from "./pid-file.ts";
import type { Place } from "./place.ts";
import { isAlive, isPostgres, isPostgresOn } from "./processes.ts";

export type Settings = Readonly<Record<string, string>>;

export const POLL_MS = 10;
/** How long a server may say nothing at all. */
const SILENCE_LIMIT_MS = 30_000;
/** How long one may say that it is recovering: its log holds at most a gigabyte or so. */
export const RECOVERY_LIMIT_MS = 600_000;
const START_RETRY_MS = 100;
/** The second is longer because a server told to stop at once gives its processes five seconds before it kills them. */
const STOP_SIGNALS = [
  { signal: "SIGINT", limitMs: 5_000 },
  { signal: "SIGQUIT", limitMs: 10_000 },
] as const;
const LOG_BYTES_MAX = 10 * 1024 * 1024;
const LOG_TAIL_BYTES = 64 * 1024;

/** Makes sure that a server runs on the place's data and accepts connections. Called by the holder of the start lock. */
export async function ensureRunning(place: Place, settings: Settings): Promise<Result<void, string>> {
  const began = performance.now();
  let heard = began;
  let trouble = "does not answer";
  for (;;) {
    const seen = await look(place);
    if (seen.kind === "up") return ok(undefined);
    if (seen.kind === "refused") return fail(seen.sentence);
    if (seen.kind === "busy") heard = performance.now();
    if (seen.kind === "down") {
      const attempt = await start(place, settings, seen.strangerPid);
      if (attempt.kind === "started") return ok(undefined);
      if (attempt.kind === "failed") return fail(attempt.sentence);
      trouble = attempt.sentence;
      await sleep(START_RETRY_MS);
    }
    const now = performance.now();
    if (now - heard > SILENCE_LIMIT_MS || now - began > RECOVERY_LIMIT_MS) {
      return fail(`The embedded PostgreSQL in ${place.postgresDir} cannot be used: ${trouble} (see ${place.logFile}).`);
    }
    await sleep(POLL_MS);
  }
}

type Look =
  | { readonly kind: "up" | "busy" | "silent" }
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "down"; readonly strangerPid?: number };

async function look(place: Place): Promise<Look> {
  const answer = await connect(place, `tillgate start ${process.pid}`);
  if (answer.kind === "connected") {
    await disconnect(answer.client);
    return { kind: "up" };
  }
  if (answer.kind !== "down") return answer;
  const pidFile = await findPidFile(place.dataDir);
  if (pidFile === undefined || !isAlive(pidFile.pid)) return { kind: "down" };
  // A server between two states, which has no socket yet or any more; or a process that got the number of a dead one.
  if (await isPostgresOn(pidFile.pid, place.dataDir)) return { kind: "silent" };
  return { kind: "down", strangerPid: pidFile.pid };
}

type Attempt = { readonly kind: "started" } | { readonly kind: "failed" | "again"; readonly sentence: string };

async function start(place: Place, settings: Settings, strangerPid: number | undefined): Promise<Attempt> {
  const binaries = await openBinaries(place);
  if (!binaries.ok) return { kind: "failed", sentence: binaries.error };
  const data = await ensureDataDirectory(place, binaries.value, settings);
  if (!data.ok) return { kind: "failed", sentence: data.error };
  await removeDebris(place);
  const log = await openLog(place);
  try {
    return await launch(place, binaries.value, settings, strangerPid, log);
  } finally {
    await log.close();
  }
}

/** What postgres would stumble over, after a crash: a lock of a socket without a listener, and an empty pid file. */
async function removeDebris({ socketDir, dataDir }: Place): Promise<void> {
  const socket = path.join(socketDir, `.s.PGSQL.${SOCKET_PORT}`);
  await rm(socket, { force: true });
  await rm(`${socket}.lock`, { force: true });
  if ((await findPidFile(dataDir)) === undefined) await rm(pidFilePath(dataDir), { force: true });
}

async function openLog({ logFile, account }: Place): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = await open(logFile, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (isRoot()) await log.chown(account.uid, account.gid);
  if ((await log.stat()).size > LOG_BYTES_MAX) await log.truncate(0);
  return log;
}

async function launch(
  place: Place,
  { postgres }: Binaries,
  settings: Settings,
  strangerPid: number | undefined,
  log: FileHandle,
): Promise<Attempt> {
  const logStart = (await log.stat()).size;
  // postgres takes a pid file that names its grandparent for a stale one. That is how we tell it about a number that went to
  // a stranger: unlike removing the file ourselves, this leaves its check for live users of the shared memory in place.
  const env = strangerPid === undefined ? {} : { PG_GRANDPARENT_PID: String(strangerPid) };
  const child = spawn(postgres, await postgresArgs(place, settings), {
    ...childOptions(place.account, env),
    // Its own session, so that Ctrl-C in the terminal reaches Tillgate alone, which then stops the server in order.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  let end: Error | "exit" | undefined;
  child.once("error", (error) => {
    end = error;
  });
  child.once("exit", () => {
    end = "exit";
  });
  child.unref();

  const began = performance.now();
  for (;;) {
    if (isErrno(end)) return { kind: "failed", sentence: cannotRun(end) };
    if (end !== undefined) return explainExit(place, await readTail(log, logStart));
    const pidFile = await findPidFile(place.dataDir);
    const status = pidFile?.pid === child.pid ? pidFile?.status : undefined;
    if (status === "ready") return { kind: "started" };
    if (performance.now() - began > (status === "starting" ? RECOVERY_LIMIT_MS : SILENCE_LIMIT_MS)) {
      child.kill("SIGQUIT");
      return { kind: "failed", sentence: `PostgreSQL in ${place.dataDir} did not start; see ${place.logFile}.` };
    }
    await sleep(POLL_MS);
  }
}

async function postgresArgs(place: Place, settings: Settings): Promise<string[]> {
  const all: Settings = {
    listen_addresses: "",
    // A list separated by spaces and commas, unless quoted.
    unix_socket_directories: `"${place.socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "100",
    shared_buffers: "128MB",
    ...(await sharedMemorySettings(place.account)),
    ...settings,
  };
  // The data directory and -p stand first: that is how a process list tells one server from another.
  const args = ["-D", place.dataDir, "-p", String(SOCKET_PORT)];
  for (const [name, value] of Object.entries(all)) args.push("-c", `${name}=${value}`);
  return args;
}

/** Processes that a killed server left behind end by themselves once they notice; until then the data is not free. */
const NOT_YET = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

function explainExit(place: Place, output: string): Attempt {
  const sentence = explainOutput("Starting PostgreSQL", output, place.dataDir);
  return { kind: NOT_YET.test(output) ? "again" : "failed", sentence };
}

async function readTail(log: FileHandle, from: number): Promise<string> {
  const { size } = await log.stat();
  const start = Math.max(from, size - LOG_TAIL_BYTES);
  const { buffer, bytesRead } = await log.read(Buffer.alloc(Math.max(0, size - start)), 0, undefined, start);
  return buffer.toString("utf8", 0, bytesRead);
}

/** Ends every session and stops in order; if that takes too long, at once, which the next start repairs from its log. */
export async function stopServer(dataDir: string, pidFile: PidFile): Promise<void> {
  for (const { signal, limitMs } of STOP_SIGNALS) {
    if (!(await isPostgres(pidFile.pid))) return;
    try {
      process.kill(pidFile.pid, signal);
    } catch {
      return;
    }
    if (await isGoneWithin(dataDir, pidFile, limitMs)) return;
  }
}

/** The pid file goes last. The process may stay for longer, as a zombie of a parent that does not look after it. */
async function isGoneWithin(dataDir: string, pidFile: PidFile, limitMs: number): Promise<boolean> {
  const began = performance.now();
  while (performance.now() - began < limitMs) {
    const current = await findPidFile(dataDir);
    if (current === undefined || !isSameRun(pidFile, current) || !isAlive(pidFile.pid)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
