import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DatabaseError } from "pg";
import type { Log, LogLevel } from "../../platform/log.ts";
import type { Sandbox, SandboxHost, SandboxOptions } from "../start-sandbox.ts";
import { type SandboxReport, type SandboxStart, STOP } from "./messages.ts";

const ENTRY = fileURLToPath(new URL("./entry.js", import.meta.url));
const START_AGAIN_AFTER_MS = 1_000;
const END_WITHIN_MS = 3_000;

/**
 * The sandbox in a process of its own, so that its work is not counted as the service's. The process is started at once,
 * because that takes a while, and told its database when that is known. If it ends by itself it is started again, on the
 * same port.
 */
export function openSandboxProcess(env: NodeJS.ProcessEnv): SandboxHost {
  let child = launch(env);
  let isClosed = false;

  async function keepRunning(options: SandboxOptions, port: number): Promise<void> {
    while (!isClosed) {
      const [code, signal] = await exitOf(child);
      if (isClosed) return;
      options.log.error({ code, signal }, "the sandbox's process ended; it is started again");
      await sleep(START_AGAIN_AFTER_MS, undefined, { ref: false });
      if (isClosed) return;
      child = launch(env);
      await start(child, options, port).catch((error) => {
        if (!isClosed) options.log.error({ reason: error.message }, "the sandbox could not be started again");
        if (child.connected) child.disconnect();
      });
    }
  }

  const close = async (): Promise<void> => {
    isClosed = true;
    await end(child);
  };
  return {
    close,
    start: async (options): Promise<Sandbox> => {
      const url = await start(child, options, options.port ?? 0);
      void keepRunning(options, Number(new URL(url).port));
      return { url, close };
    },
  };
}

function launch(env: NodeJS.ProcessEnv): ChildProcess {
  // A bug's last words go where ours go. Options of our own node, such as a debugger's port, are not for two processes.
  const child = fork(ENTRY, [], { env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
  // Of a process that could not be started or reached; its exit is told too.
  child.on("error", () => undefined);
  return child;
}

/** Tells it what to do, and answers where it listens. */
function start(child: ChildProcess, options: SandboxOptions, port: number): Promise<string> {
  const { connection, secret, log } = options;
  const message: SandboxStart = { connection, port, secret: secret.reveal(), logLevel: log.level as LogLevel };
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("the sandbox's process ended while it started"));
    child.once("exit", ended);
    child.on("message", (report: SandboxReport) => {
      if (report.kind === "line") return writeLine(log, report.line);
      child.off("exit", ended);
      if (report.kind === "listening") resolve(report.url);
      else reject(errorOf(report));
    });
    if (child.connected) child.send(message);
    else ended();
  });
}

/** What stops it is mostly the database, whose errors are known by their class. */
function errorOf({ message, code }: Extract<SandboxReport, { kind: "failed" }>): Error {
  return code === undefined ? new Error(message) : Object.assign(new DatabaseError(message, 0, "error"), { code });
}

/** Its lines are ours: of the same form, at the same level. */
function writeLine(log: Log, line: string): void {
  const { level, time: _, msg, ...members } = JSON.parse(line);
  log[level as "error" | "warn" | "info" | "debug"](members, msg);
}

async function exitOf(child: ChildProcess): Promise<readonly [number | null, NodeJS.Signals | null]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return [child.exitCode, child.signalCode];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.connected) child.send(STOP, () => undefined);
  const killing = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
  await exitOf(child);
  clearTimeout(killing);
}
