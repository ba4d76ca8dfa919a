// Two api and two worker processes of the built program, started again when they end, as systemd or Kubernetes would.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HOST } from "./ports.mjs";
import { run, start } from "./processes.mjs";
import { Hopeless, sleep, until } from "./wait.mjs";

const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const READY_WITHIN_MS = 90_000;
/** What systemd's RestartSec= would be. */
const RESTART_AFTER_MS = 2_000;

const LOG_SHOWN = 2_000;

/** `env` is what every process and command gets; `ports` has one for each of the four. */
export async function startGateway({ directory, env, ports }) {
  const gateway = { stopping: false, unexpectedEnds: 0 };
  const roles = ["api", "api", "worker", "worker"];
  gateway.processes = roles.map((role, place) =>
    openProcess(gateway, { name: `${role}${1 + (place % 2)}`, role, port: ports[place], directory, env }),
  );
  const [first, ...others] = gateway.processes;
  // The first one makes the tables and the keys.
  await first.start();
  await Promise.all(others.map((each) => each.start()));
  gateway.stop = async () => {
    gateway.stopping = true;
    await Promise.all(gateway.processes.map((each) => each.stop()));
  };
  return gateway;
}

function openProcess(gateway, { name, role, port, directory, env }) {
  const logFile = join(directory, `${name}.log`);
  const own = { name, role, logFile };
  const isReady = async (child) => {
    if (child.hasEnded) throw new Hopeless(`${name} ended:\n${readFileSync(logFile, "utf8").slice(-LOG_SHOWN)}`);
    return (await fetch(`http://${HOST}:${port}/readyz`)).ok;
  };
  async function begin() {
    const child = start(name, process.execPath, [PROGRAM, "start", "--role", role], {
      env: { ...env, PORT: String(port) },
      logFile,
    });
    own.child = child;
    void child.ended.then(() => restart(child));
    await until(`${name} is ready`, () => isReady(child), READY_WITHIN_MS);
  }
  async function restart(child) {
    if (gateway.stopping) return;
    if (!child.wasKilled) gateway.unexpectedEnds += 1;
    await sleep(RESTART_AFTER_MS);
    if (!gateway.stopping) await begin().catch(() => undefined);
  }
  own.start = begin;
  own.stop = () => own.child.end("SIGTERM");
  own.kill = async () => {
    own.child.wasKilled = true;
    await own.child.end("SIGKILL");
  };
  return own;
}

/** The output of a command of the operator. */
export function tillgate(env, ...words) {
  return run(process.execPath, [PROGRAM, ...words], { env });
}

/** How long each log is now, to read later what was added. */
export function markLogs({ processes }) {
  return new Map(processes.map(({ logFile }) => [logFile, sizeOf(logFile)]));
}

/** The lines of level `error` since the mark: each should be a bug. */
export function errorsSince(marks) {
  return [...marks].flatMap(([logFile, from]) =>
    readFileSync(logFile)
      .subarray(from)
      .toString("utf8")
      .split("\n")
      .filter((line) => ERROR_LINE.test(line)),
  );
}

/** Also what is no line of the log at all, such as the stack of a process that ended. */
const ERROR_LINE = /"level":("error"|"fatal"|50|60)|^\s*at .+:\d+:\d+\)?$|Error:/;

function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
