// Every process that the drill starts, so that each is ended by its id, also when the drill is broken off.
import { execFile, spawn } from "node:child_process";
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

const running = new Set();
let over = false;
const END_WITHIN_MS = 15_000;

/**
 * Output goes to `logFile`. `family` answers the ids of processes that it started and that outlive it, such as Patroni's PostgreSQL.
 */
export function start(name, program, args, options) {
  const { logFile, account = {}, env = process.env, family = () => [] } = options;
  // A process that is started again when it ends must not outlive the drill.
  if (over) throw new Error("the drill is over");
  const log = openSync(logFile, "a");
  // Not of our group: Ctrl-C is ours to handle, in order.
  const child = spawn(program, args, { ...account, env, cwd: "/", stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const own = { name, pid: child.pid, logFile, family, hasEnded: false };
  running.add(own);
  own.ended = new Promise((resolve) => {
    const note = (code) => {
      own.hasEnded = true;
      if (family().length === 0) running.delete(own);
      resolve(code);
    };
    child.once("exit", note);
    child.once("error", (error) => {
      appendFileSync(logFile, `${program} could not be run: ${error.message}\n`);
      note();
    });
  });
  // The number of a process that has ended may be another one's by now.
  own.signal = (signal) => sendSignal([...(own.hasEnded ? [] : [own.pid]), ...family()], signal);
  own.end = async (signal = "SIGTERM") => {
    const cut = setTimeout(() => own.signal("SIGKILL"), END_WITHIN_MS);
    if (!own.hasEnded) sendSignal([own.pid], signal);
    await own.ended;
    clearTimeout(cut);
    sendSignal(family(), "SIGKILL");
    running.delete(own);
  };
  return own;
}

/** Like `kill -SIGNAL pid…`; one that has ended meanwhile is no fault. */
function sendSignal(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  }
}

/** What is left of the cluster when all was checked: its data is thrown away, so no server needs time to end in good order. */
export async function endAll() {
  over = true;
  await Promise.all([...running].map((each) => each.end("SIGKILL")));
}

/** For a drill that ends without having time to wait. */
export function killAll() {
  over = true;
  for (const each of running) each.signal("SIGKILL");
}

/** Ends well or throws what the program said. It waits without blocking: the load and the inbox are in this process. */
export async function run(program, args, { account = {}, env = process.env, cwd = "/" } = {}) {
  try {
    const { stdout } = await execFileAsync(program, args, { ...account, env, cwd });
    return stdout;
  } catch (error) {
    throw new Error(
      `${program} ${args.join(" ")}: ${`${error.stdout ?? ""}${error.stderr ?? ""}`.trim() || error.message}`,
    );
  }
}

const execFileAsync = promisify(execFile);

/** Ids of the children of a process, from /proc. */
export function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((entry) => /^[0-9]+$/.test(entry) && parentOf(entry) === pid)
    .map(Number);
}

function parentOf(entry) {
  try {
    return Number(
      readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return undefined;
  }
}
